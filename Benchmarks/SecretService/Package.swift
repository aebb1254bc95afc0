// swift-tools-version: 6.1

import PackageDescription

let package = Package(
    name: "secret-service-benchmark",
    dependencies: [.package(name: "secitem", path: "../..")],
    targets: [
        .executableTarget(
            name: "SecretServiceBenchmark",
            dependencies: [.product(name: "Security", package: "secitem")]
        )
    ],
    swiftLanguageModes: [.v6]
)

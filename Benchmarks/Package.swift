// swift-tools-version: 6.1
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// A separate package, so that the library's users do not get the benchmarks' dependencies.
let package = Package(
    name: "Benchmarks",
    dependencies: [
        .package(name: "secitem", path: ".."),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.0.0"),
    ],
    targets: [
        .target(name: "Sampling"),
        .executableTarget(
            name: "StoreBenchmarks",
            dependencies: [
                "Sampling",
                .product(name: "Security", package: "secitem"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
                .product(name: "Crypto", package: "swift-crypto"),
            ]
        ),
        .executableTarget(
            name: "KeyBenchmarks",
            dependencies: [
                "Sampling",
                .product(name: "Security", package: "secitem"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
            ]
        ),
        .executableTarget(
            name: "SecretServiceBenchmark",
            dependencies: [.product(name: "Security", package: "secitem")],
            path: "SecretService/Sources/SecretServiceBenchmark"
        ),
        .executableTarget(name: "FoundationAlone"),
    ],
    swiftLanguageModes: [.v6]
)

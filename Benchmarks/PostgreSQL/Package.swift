// swift-tools-version: 6.1
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// Apart from the other benchmarks, whose programs must not load libpq.
let package = Package(
    name: "PostgreSQLBenchmarks",
    dependencies: [
        .package(name: "secitem", path: "../..", traits: [.defaults, "PostgreSQL"])
    ],
    targets: [
        .systemLibrary(name: "CBareLibpq", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
        .executableTarget(
            name: "PostgreSQLBenchmarks",
            dependencies: ["CBareLibpq", .product(name: "Security", package: "secitem")]
        ),
    ],
    swiftLanguageModes: [.v6]
)

// swift-tools-version: 6.1
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// Apart from the other benchmarks, whose programs must not load libpq.
// `Scripts/test` builds the library once, with all traits.
let hasAllTraits = Context.environment["KEYCHAIN_TRAITS"] == "all"
let traits: Set<Package.Dependency.Trait> = hasAllTraits ? [.defaults] : [.defaults, "PostgreSQL"]

let package = Package(
    name: "PostgreSQLBenchmarks",
    dependencies: [
        .package(name: "secitem", path: "../..", traits: traits)
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

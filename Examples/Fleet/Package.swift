// swift-tools-version: 6.1
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

/// Shares a token among the machines of a fleet, in a PostgreSQL database.
// `Scripts/test` builds the library once, with all traits.
let hasAllTraits = Context.environment["KEYCHAIN_TRAITS"] == "all"
let traits: Set<Package.Dependency.Trait> = hasAllTraits ? [.defaults] : [.defaults, "PostgreSQL"]

let package = Package(
    name: "fleet",
    dependencies: [
        .package(name: "secitem", path: "../..", traits: traits)
    ],
    targets: [
        .executableTarget(
            name: "fleet",
            dependencies: [.product(name: "Security", package: "secitem")],
            path: "Sources/Fleet"
        )
    ],
    swiftLanguageModes: [.v6]
)

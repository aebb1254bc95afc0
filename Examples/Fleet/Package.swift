// swift-tools-version: 6.1
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

/// Shares a token among the machines of a fleet, in a PostgreSQL database.
let package = Package(
    name: "fleet",
    dependencies: [
        .package(name: "secitem", path: "../..", traits: [.defaults, "PostgreSQL"])
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

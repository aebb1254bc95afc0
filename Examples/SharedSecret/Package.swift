// swift-tools-version: 6.1
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

/// Shares passwords with other programs of the desktop.
let package = Package(
    name: "shared-secret",
    dependencies: [
        .package(name: "secitem", path: "../..")
    ],
    targets: [
        .executableTarget(
            name: "shared-secret",
            dependencies: [.product(name: "Security", package: "secitem")],
            path: "Sources/SharedSecret"
        )
    ],
    swiftLanguageModes: [.v6]
)

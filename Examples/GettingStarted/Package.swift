// swift-tools-version: 6.1
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

let package = Package(
    name: "getting-started",
    dependencies: [
        .package(name: "secitem", path: "../..")
    ],
    targets: [
        .executableTarget(
            name: "getting-started",
            dependencies: [.product(name: "Security", package: "secitem")],
            path: "Sources/GettingStarted"
        )
    ],
    swiftLanguageModes: [.v6]
)

// swift-tools-version: 6.1
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

let package = Package(
    name: "object-keychain",
    dependencies: [
        .package(name: "secitem", path: "../..")
    ],
    targets: [
        .executableTarget(
            name: "object-keychain",
            dependencies: [.product(name: "Security", package: "secitem")],
            path: "Sources/ObjectKeychain"
        )
    ],
    swiftLanguageModes: [.v6]
)

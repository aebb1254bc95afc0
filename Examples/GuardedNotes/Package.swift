// swift-tools-version: 6.1
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

let package = Package(
    name: "guarded-notes",
    dependencies: [
        .package(name: "secitem", path: "../..")
    ],
    targets: [
        .executableTarget(
            name: "guarded-notes",
            dependencies: [
                .product(name: "Security", package: "secitem"),
                .product(name: "LocalAuthentication", package: "secitem"),
            ],
            path: "Sources/GuardedNotes"
        )
    ],
    swiftLanguageModes: [.v6]
)

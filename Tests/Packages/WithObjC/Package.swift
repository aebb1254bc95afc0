// swift-tools-version: 6.1
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

/// A client for Apple's platforms with many `@objc` attributes. The sources in the folder Apple stay unchanged, and
/// copies without the attributes are compiled.
let package = Package(
    name: "with-objc",
    dependencies: [
        .package(name: "secitem", path: "../../.."),
        .package(path: "../../../ObjCRemover"),
    ],
    targets: [
        .target(
            name: "Vault",
            dependencies: [.product(name: "Security", package: "secitem")],
            exclude: ["ObjCSources"],
            plugins: [.plugin(name: "ObjCRemover", package: "ObjCRemover")]
        ),
        .testTarget(
            name: "VaultTests",
            dependencies: ["Vault"],
            exclude: ["ObjCSources"],
            plugins: [.plugin(name: "ObjCRemover", package: "ObjCRemover")]
        ),
        // Runs the program that the plugin runs.
        .testTarget(name: "ObjCRemoverTests", dependencies: ["Vault"]),
    ],
    swiftLanguageModes: [.v6]
)

// swift-tools-version: 6.1
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

/// A client that proves to a server who it is, with an identity in the keychain.
let package = Package(
    name: "mutual-tls",
    dependencies: [
        // A server has no desktop.
        .package(name: "secitem", path: "../..", traits: []),
        .package(url: "https://github.com/apple/swift-nio", from: "2.80.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.30.0"),
    ],
    targets: [
        .executableTarget(
            name: "mutual-tls",
            dependencies: [
                .product(name: "Security", package: "secitem"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            path: "Sources/MutualTLS"
        )
    ],
    swiftLanguageModes: [.v6]
)

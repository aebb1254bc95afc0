// swift-tools-version: 6.0
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

/// A library for Apple's platforms, as its authors would write it. It does not refer to this repository, and is built
/// with a toolset.
let package = Package(
    name: "passwords",
    platforms: [.macOS(.v13), .iOS(.v16)],
    products: [
        .library(name: "Passwords", targets: ["Passwords"])
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-log", from: "1.5.0")
    ],
    targets: [
        .target(
            name: "Passwords",
            dependencies: [.product(name: "Logging", package: "swift-log")]
        ),
        .testTarget(name: "PasswordsTests", dependencies: ["Passwords"]),
    ]
)

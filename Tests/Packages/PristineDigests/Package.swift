// swift-tools-version: 6.0
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

/// Another such library, on top of the first. It uses another version of swift-crypto than the toolset's library contains.
let package = Package(
    name: "password-digests",
    platforms: [.macOS(.v13), .iOS(.v16)],
    products: [
        .library(name: "PasswordDigests", targets: ["PasswordDigests"])
    ],
    dependencies: [
        .package(name: "passwords", path: "../Pristine"),
        .package(url: "https://github.com/apple/swift-crypto", "3.0.0"..<"4.0.0"),
    ],
    targets: [
        .target(
            name: "PasswordDigests",
            dependencies: [
                .product(name: "Passwords", package: "passwords"),
                .product(name: "Crypto", package: "swift-crypto"),
            ]
        ),
        .testTarget(
            name: "PasswordDigestsTests",
            dependencies: ["PasswordDigests", .product(name: "Passwords", package: "passwords")]
        ),
    ]
)

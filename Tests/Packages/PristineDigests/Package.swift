// swift-tools-version: 6.0
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

/// Another such library, on top of the first. It uses another version of swift-crypto than the toolset's library contains,
/// and two packages that need care: swift-atomics gives the types of Swift members that Foundation gives them too, and
/// swift-certificates has other code where there is a module `Security`.
let package = Package(
    name: "password-digests",
    platforms: [.macOS(.v13), .iOS(.v16)],
    products: [
        .library(name: "PasswordDigests", targets: ["PasswordDigests"]),
        .library(name: "Certificates", targets: ["Certificates"]),
    ],
    dependencies: [
        .package(name: "passwords", path: "../Pristine"),
        .package(url: "https://github.com/apple/swift-crypto", "3.0.0"..<"4.0.0"),
        .package(url: "https://github.com/apple/swift-atomics", from: "1.2.0"),
        .package(url: "https://github.com/apple/swift-certificates", from: "1.10.0"),
    ],
    targets: [
        .target(
            name: "PasswordDigests",
            dependencies: [
                .product(name: "Passwords", package: "passwords"),
                .product(name: "Crypto", package: "swift-crypto"),
            ]
        ),
        .target(
            name: "Certificates",
            dependencies: [
                .product(name: "Atomics", package: "swift-atomics"),
                .product(name: "X509", package: "swift-certificates"),
            ]
        ),
        .testTarget(
            name: "CertificatesTests",
            dependencies: [
                "Certificates",
                .product(name: "X509", package: "swift-certificates"),
                .product(name: "Crypto", package: "swift-crypto"),
            ]
        ),
        .testTarget(
            name: "PasswordDigestsTests",
            dependencies: ["PasswordDigests", .product(name: "Passwords", package: "passwords")]
        ),
    ]
)

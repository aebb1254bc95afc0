// swift-tools-version: 6.1
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

/// `import CryptoKit` for sources that cannot do without. A package of its own: `canImport(CryptoKit)` changes what other
/// packages compile, so that only who names it gets it. The keychain is where keys of a chip come from.
let package = Package(
    name: "cryptokit",
    products: [.library(name: "CryptoKit", targets: ["CryptoKit"])],
    dependencies: [
        .package(name: "secitem", path: ".."),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.0.0"),
    ],
    targets: [
        .target(
            name: "CryptoKit",
            dependencies: [
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Security", package: "secitem"),
                .product(name: "LocalAuthentication", package: "secitem"),
            ]
        ),
        .testTarget(name: "CryptoKitTests", dependencies: ["CryptoKit"]),
    ],
    swiftLanguageModes: [.v6]
)

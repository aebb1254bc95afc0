// swift-tools-version: 6.1
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

/// `import CryptoKit` for sources that need it. It is a separate package because `canImport(CryptoKit)` changes how
/// other packages compile, so only packages that name it get it. Its keys of a chip come from the keychain.
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

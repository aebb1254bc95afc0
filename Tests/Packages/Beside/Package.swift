// swift-tools-version: 6.1
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

/// The keychain in one graph with swift-certificates, which checks `canImport(Security)` and therefore compiles other
/// code once our module has been built.
let package = Package(
    name: "beside",
    dependencies: [
        .package(name: "secitem", path: "../../..", traits: []),
        .package(url: "https://github.com/apple/swift-certificates", from: "1.10.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.0.0"),
        .package(url: "https://github.com/apple/swift-asn1", from: "1.1.0"),
    ],
    targets: [
        .target(
            name: "SelfSigned",
            dependencies: [
                .product(name: "X509", package: "swift-certificates"),
                .product(name: "Crypto", package: "swift-crypto"),
            ]
        ),
        .executableTarget(
            name: "KeychainFirst",
            dependencies: [
                .product(name: "Security", package: "secitem"),
                "SelfSigned",
                .product(name: "X509", package: "swift-certificates"),
                .product(name: "SwiftASN1", package: "swift-asn1"),
            ]
        ),
        .executableTarget(
            name: "CertificatesFirst",
            dependencies: [
                "SelfSigned",
                .product(name: "X509", package: "swift-certificates"),
                .product(name: "SwiftASN1", package: "swift-asn1"),
                .product(name: "Security", package: "secitem"),
            ]
        ),
        .executableTarget(
            name: "CertificatesOnly",
            dependencies: ["SelfSigned", .product(name: "X509", package: "swift-certificates")]
        ),
    ],
    swiftLanguageModes: [.v6]
)

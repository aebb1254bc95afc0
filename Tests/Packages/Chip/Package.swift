// swift-tools-version: 6.1
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

/// The keychain with the traits for a TPM 2.0 and for PostgreSQL, tested with the simulator swtpm and with servers of the
/// tests' own.
let package = Package(
    name: "chip",
    dependencies: [
        .package(name: "secitem", path: "../../..", traits: [.defaults, "PostgreSQL", "TPM"]),
        .package(name: "cryptokit", path: "../../../CryptoKit"),
    ],
    targets: [
        .executableTarget(
            name: "ChipProbe",
            dependencies: [
                .product(name: "Security", package: "secitem"),
                .product(name: "SecItemMaintenance", package: "secitem"),
            ]
        ),
        .testTarget(
            name: "ChipTests",
            dependencies: [
                "ChipProbe",
                .product(name: "Security", package: "secitem"),
                .product(name: "security", package: "secitem"),
                .product(name: "CryptoKit", package: "cryptokit"),
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)

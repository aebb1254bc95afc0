// swift-tools-version: 6.1
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

/// The keychain with the traits for a TPM 2.0 and for PostgreSQL, tested with the simulator swtpm and with servers of the
/// tests' own.
// `Scripts/test` builds the library once, with all traits.
let hasAllTraits = Context.environment["KEYCHAIN_TRAITS"] == "all"
let traits: Set<Package.Dependency.Trait> = hasAllTraits ? [.defaults] : [.defaults, "PostgreSQL", "TPM"]

let package = Package(
    name: "chip",
    dependencies: [
        .package(name: "secitem", path: "../../..", traits: traits),
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

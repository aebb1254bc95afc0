// swift-tools-version: 6.1
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

let package = Package(
    name: "secitem",
    products: [
        .library(name: "Security", targets: ["Security"]),
        .library(name: "LocalAuthentication", targets: ["LocalAuthentication"]),
        .library(name: "SecItemShim", targets: ["SecItemShim", "SecItemSelection"]),
        .library(name: "SecItemStore", targets: ["SecItemStore"]),
        .library(name: "SecItemConformance", targets: ["SecItemConformance"]),
        .library(name: "SecItemMaintenance", targets: ["SecItemMaintenance"]),
        .library(name: "FXKeychain", targets: ["FXKeychain"]),
        .library(name: "Lockbox", targets: ["Lockbox"]),
        .library(name: "KCMutableDictionary", targets: ["KCMutableDictionary"]),
        .library(name: "KeychainObjects", targets: ["KeychainObjects"]),
        .executable(name: "security", targets: ["SecurityCommand"]),
        .executable(name: "git-credential-keychain", targets: ["GitCredentialProgram"]),
    ],
    traits: [
        .default(enabledTraits: ["Gnome"]),
        .trait(name: "Gnome", description: "Items on the desktop's Secret Service, through libsecret."),
        .trait(name: "TPM", description: "Keys and the store's root key in a TPM 2.0, through tpm2-tss."),
    ],
    dependencies: [
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        // The command line alone needs it.
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
        .package(url: "https://github.com/apple/swift-asn1", from: "1.3.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.0.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
    ],
    targets: [
        // Nobody imports SecItemSelection: docs/architecture.md, decision 17.
        .target(name: "Security", dependencies: ["SecItemShim", "SecItemSelection"]),
        .target(name: "LocalAuthentication", dependencies: ["Security", "SecItemShim", "SecItemStore"]),
        .target(
            name: "SecItemShim",
            dependencies: [
                "SecItemStore",
                .product(name: "SwiftASN1", package: "swift-asn1"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        .target(
            name: "SecItemSelection",
            dependencies: [
                "SecItemShim",
                "SecItemStore",
                "SecItemSQLite",
                .target(name: "SecItemGnome", condition: .when(traits: ["Gnome"])),
                .target(name: "SecItemTPM", condition: .when(traits: ["TPM"])),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        .target(name: "SecItemStore", dependencies: [.product(name: "Logging", package: "swift-log")]),
        .target(
            name: "SecItemSQLite",
            dependencies: [
                "SecItemStore",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        // Declarations alone: nothing of libsecret is needed to build, and nothing is linked.
        .target(name: "CLibsecret"),
        .target(
            name: "SecItemGnome",
            dependencies: ["SecItemStore", "CLibsecret", .product(name: "Logging", package: "swift-log")]
        ),
        .systemLibrary(name: "CTss2", pkgConfig: "tss2-esys", providers: [.apt(["libtss2-dev"])]),
        // Empty without its trait, so that nothing needs its headers then.
        .target(
            name: "SecItemTPM",
            dependencies: ["SecItemStore", .target(name: "CTss2", condition: .when(traits: ["TPM"]))]
        ),
        // What keeping a keychain needs: backup, moving, new keys, and what is wrong with it.
        .target(
            name: "SecItemMaintenance",
            dependencies: [
                "SecItemShim", "SecItemSelection", "SecItemStore", "SecItemSQLite",
                .target(name: "SecItemGnome", condition: .when(traits: ["Gnome"])),
                .product(name: "Crypto", package: "swift-crypto"),
            ]
        ),
        .executableTarget(
            name: "SecurityCommand",
            dependencies: [
                "SecItemMaintenance", "SecItemShim", "SecItemSelection", "SecItemStore", "SecItemSQLite",
                "GitCredentialKeychain",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        // git's credential helper, which is a program of its own and a second name of the command line's.
        .target(name: "GitCredentialKeychain", dependencies: ["Security"]),
        .executableTarget(name: "GitCredentialProgram", dependencies: ["GitCredentialKeychain"]),
        // What test targets share; no product has it.
        .target(
            name: "TestSupport",
            dependencies: [.product(name: "Logging", package: "swift-log")],
            path: "Tests/TestSupport"
        ),
        .testTarget(
            name: "MaintenanceTests",
            dependencies: [
                "SecItemMaintenance", "SecItemShim", "SecItemStore", "SecItemSQLite", "SecItemConformance",
                "TestSupport",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .target(name: "SecItemGnome", condition: .when(traits: ["Gnome"])),
            ]
        ),
        .testTarget(
            name: "SecurityCommandTests",
            dependencies: ["SecurityCommand", "SecItemMaintenance", "SecItemSQLite", "SecItemStore", "TestSupport"]
        ),
        .testTarget(
            name: "GitCredentialTests",
            dependencies: [
                "GitCredentialKeychain", "GitCredentialProgram", "SecurityCommand", "Security", "SecItemConformance",
                "TestSupport",
            ]
        ),
        .testTarget(
            name: "GnomeStoreTests",
            dependencies: ["KeychainProbe", "SecItemGnome", "SecItemStore", "SecItemConformance", "TestSupport"]
        ),
        .testTarget(
            name: "PortalTests",
            dependencies: [
                "SecItemShim", "SecItemSelection", "SecItemSQLite", "SecItemStore", "TestSupport",
                .target(name: "SecItemGnome", condition: .when(traits: ["Gnome"])),
            ]
        ),
        .executableTarget(
            name: "KeychainProbe",
            dependencies: ["Security", "SecItemShim", "SecItemStore"],
            path: "Tests/KeychainProbe"
        ),
        .testTarget(
            name: "SelectionTests",
            dependencies: [
                "KeychainProbe", "TestSupport", "SecItemShim", "SecItemSelection", "SecItemSQLite", "SecItemStore",
                "SecItemConformance",
                .target(name: "SecItemGnome", condition: .when(traits: ["Gnome"])),
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        .target(
            name: "SecItemConformance", dependencies: ["SecItemShim", "SecItemStore", "LocalAuthentication"]),
        // Property lists and archives: what the three wrappers with Objective-C originals keep in items.
        .target(name: "KeychainCoding", path: "Sources/Wrappers/KeychainCoding"),
        // The items of those three: what they are named for, and how one is written.
        .target(name: "WrapperItems", dependencies: ["Security"], path: "Sources/Wrappers/WrapperItems"),
        .target(
            name: "FXKeychain",
            dependencies: ["Security", "SecItemStore", "KeychainCoding", "WrapperItems"],
            path: "Sources/Wrappers/FXKeychain"
        ),
        .target(
            name: "Lockbox",
            dependencies: ["Security", "SecItemStore", "KeychainCoding", "WrapperItems"],
            path: "Sources/Wrappers/Lockbox"
        ),
        .target(
            name: "KCMutableDictionary",
            dependencies: ["Security", "SecItemStore", "KeychainCoding", "WrapperItems"],
            path: "Sources/Wrappers/KCMutableDictionary"
        ),
        .target(
            name: "KeychainObjects",
            dependencies: ["Security", "SecItemShim"],
            path: "Sources/Wrappers/KeychainObjects"
        ),
        // A client's module whose name begins as Foundation's does.
        .target(name: "FoundationExtras", path: "Tests/FoundationExtras"),
        .testTarget(
            name: "WrapperTests",
            dependencies: [
                "Security", "FXKeychain", "Lockbox", "KCMutableDictionary", "KeychainObjects", "KeychainCoding",
                "WrapperProbe", "SecItemConformance", "SecItemStore", "TestSupport", "FoundationExtras",
                .product(name: "Crypto", package: "swift-crypto"),
                .target(name: "SecItemGnome", condition: .when(traits: ["Gnome"])),
            ],
            // Read where they are.
            exclude: ["Fixtures"]
        ),
        .executableTarget(
            name: "WrapperProbe",
            dependencies: [
                "Security", "FXKeychain", "Lockbox", "KCMutableDictionary", "KeychainObjects", "KeychainCoding",
                "SecItemConformance",
            ],
            path: "Tests/WrapperProbe"
        ),
        .testTarget(
            name: "ShimTests",
            dependencies: [
                "Security", "SecItemShim", "TestSupport", .product(name: "Crypto", package: "swift-crypto"),
            ]
        ),
        .testTarget(
            name: "LocalAuthenticationTests",
            dependencies: ["LocalAuthentication", "SecItemShim", "PresenceProbe", "TestSupport"]
        ),
        .executableTarget(
            name: "PresenceProbe",
            dependencies: ["LocalAuthentication", "SecItemShim", "SecItemStore"],
            path: "Tests/PresenceProbe"
        ),
        .testTarget(
            name: "ConformanceTests",
            dependencies: ["SecItemConformance", "SecItemStore", "SecItemShim", "SecItemSQLite"],
            resources: [.copy("Resources")]
        ),
        .executableTarget(
            name: "ClientStyleSwift5",
            dependencies: ["Security"],
            path: "Tests/ClientStyleSwift5",
            swiftSettings: [.swiftLanguageMode(.v5)]
        ),
        .executableTarget(name: "ClientStyleSwift6", dependencies: ["Security"], path: "Tests/ClientStyleSwift6"),
        .executableTarget(name: "ClientWithOwnNames", dependencies: ["Security"], path: "Tests/ClientWithOwnNames"),
        .testTarget(
            name: "ClientStyleTests",
            dependencies: ["ClientStyleSwift5", "ClientStyleSwift6", "ClientWithOwnNames", "TestSupport"]
        ),
        .executableTarget(
            name: "CompileUnchangedSwift5",
            dependencies: ["Security", "LocalAuthentication", "FXKeychain", "Lockbox", "KCMutableDictionary"],
            path: "Tests/CompileUnchangedSwift5",
            swiftSettings: [.swiftLanguageMode(.v5)]
        ),
        .executableTarget(
            name: "CompileUnchangedSwift6",
            dependencies: ["Security", "LocalAuthentication", "FXKeychain", "Lockbox", "KCMutableDictionary"],
            path: "Tests/CompileUnchangedSwift6"
        ),
        .testTarget(
            name: "CompileUnchangedTests",
            dependencies: ["CompileUnchangedSwift5", "CompileUnchangedSwift6", "TestSupport"]
        ),
        .executableTarget(
            name: "StoreProbe",
            dependencies: [
                "Security", "SecItemSQLite", "SecItemStore", .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ],
            path: "Tests/StoreProbe"
        ),
        .testTarget(
            name: "SQLiteStoreTests",
            dependencies: [
                "SecItemShim",
                "SecItemSQLite",
                "SecItemStore",
                "SecItemConformance",
                "StoreProbe",
                "TestSupport",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "Logging", package: "swift-log"),
            ],
            resources: [.copy("Fixtures")]
        ),
    ],
    swiftLanguageModes: [.v6]
)

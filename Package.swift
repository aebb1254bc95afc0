// swift-tools-version: 6.1
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// MARK: - What targets depend on

let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let asn1 = Target.Dependency.product(name: "SwiftASN1", package: "swift-asn1")
let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let cryptoExtras = Target.Dependency.product(name: "CryptoExtras", package: "swift-crypto")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")

/// The store for the Secret Service, which programs can leave out.
let gnome = Target.Dependency.target(name: "SecItemGnome", condition: .when(traits: ["Desktop", "Gnome"]))
let systemBus = Target.Dependency.target(name: "SecItemSystemBus", condition: .when(traits: ["Desktop", "Polkit"]))

/// A port of a keychain library with an Objective-C original.
func wrapper(_ name: String) -> Target {
    .target(
        name: name,
        dependencies: ["Security", "SecItemStore", "KeychainCoding", "WrapperItems"],
        path: "Sources/Wrappers/\(name)"
    )
}

/// A program that tests start.
func testProgram(_ name: String, _ dependencies: [Target.Dependency], swift5: Bool = false) -> Target {
    .executableTarget(
        name: name,
        dependencies: dependencies,
        path: "Tests/\(name)",
        swiftSettings: swift5 ? [.swiftLanguageMode(.v5)] : []
    )
}

// MARK: - The library

let library: [Target] = [
    // Nobody imports SecItemSelection: docs/decisions.md, 17.
    .target(name: "Security", dependencies: ["SecItemShim", "SecItemSelection"]),
    .target(name: "LocalAuthentication", dependencies: ["Security", "SecItemShim", "SecItemStore"]),
    // The keys and sealed rows of a keychain, below every store that keeps such rows, and the seal of an item under a
    // password of its own.
    .target(name: "SecItemSealing", dependencies: ["SecItemStore", crypto, cryptoExtras, logging]),
    // Keys, certificates, trust and files of them, with Apple's constants and the Core Foundation names. It knows no
    // keychain.
    .target(name: "SecItemObjects", dependencies: ["SecItemStore", asn1, crypto, cryptoExtras, logging]),
    .target(
        name: "SecItemShim", dependencies: ["SecItemObjects", "SecItemStore", "SecItemSealing", crypto, logging]),
    .target(
        name: "SecItemSelection",
        dependencies: [
            "SecItemShim", "SecItemStore", "SecItemSealing", "SecItemSQLite", "SecItemSynchronizing", gnome, systemBus,
            .target(name: "SecItemTPM", condition: .when(traits: ["TPM"])),
            .target(name: "SecItemPostgreSQL", condition: .when(traits: ["PostgreSQL"])),
            crypto, logging,
        ]
    ),
    .target(
        name: "SecItemConformance",
        dependencies: ["SecItemShim", "SecItemSealing", "SecItemStore", "LocalAuthentication"]),
]

// MARK: - The library for programs in C

let cInterface: [Target] = [
    // The constants as symbols, and what Swift's module of Core Foundation leaves out.
    .target(name: "CSecItem"),
    .target(name: "SecItemC", dependencies: ["CSecItem", "SecItemShim", "SecItemStore", "SecItemSelection"]),
]

// MARK: - The stores

let stores: [Target] = [
    .target(name: "SecItemStore", dependencies: [logging]),
    .systemLibrary(name: "CLibsqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .target(name: "SecItemSQLite", dependencies: ["SecItemStore", "SecItemSealing", "CLibsqlite3", logging]),
    // Two stores as one: synchronizable items apart from all others.
    .target(name: "SecItemSynchronizing", dependencies: ["SecItemStore", logging]),
    // Only declarations: the build does not need libsecret, and nothing is linked.
    .target(name: "CLibsecret"),
    .target(name: "SecItemBus", dependencies: ["SecItemStore", "CLibsecret"]),
    .target(name: "SecItemGnome", dependencies: ["SecItemStore", "SecItemBus", "CLibsecret", logging]),
    // Uses services of the machine: polkit, fprintd and logind.
    .target(name: "SecItemSystemBus", dependencies: ["SecItemBus", "SecItemShim", "SecItemStore", crypto, logging]),
    .systemLibrary(name: "CTss2", pkgConfig: "tss2-esys", providers: [.apt(["libtss2-dev"])]),
    // Empty without its trait, so that its headers are only needed with it.
    .target(
        name: "SecItemTPM",
        dependencies: ["SecItemStore", .target(name: "CTss2", condition: .when(traits: ["TPM"]))]
    ),
    .systemLibrary(name: "CLibpq", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
    // Empty without its trait, so that its headers are only needed with it.
    .target(
        name: "SecItemPostgreSQL",
        dependencies: [
            "SecItemStore", "SecItemSealing", .target(name: "CLibpq", condition: .when(traits: ["PostgreSQL"])),
            logging,
        ]
    ),
]

// MARK: - The command line

let commandLine: [Target] = [
    // The maintenance of a keychain: backup, moving, new keys and diagnosis.
    .target(
        name: "SecItemMaintenance",
        dependencies: [
            "SecItemShim", "SecItemSelection", "SecItemStore", "SecItemSealing", "SecItemSQLite", gnome, crypto,
        ]
    ),
    .executableTarget(
        name: "SecurityCommand",
        dependencies: [
            "SecItemMaintenance", "SecItemShim", "SecItemSelection", "SecItemStore", "SecItemSealing", "SecItemSQLite",
            "GitCredentialKeychain", argumentParser, asn1, crypto, logging,
        ]
    ),
    // git's credential helper. It is a separate program, and the command `security` also runs it under its name.
    .target(name: "GitCredentialKeychain", dependencies: ["Security"]),
    .executableTarget(name: "GitCredentialProgram", dependencies: ["GitCredentialKeychain"]),
]

// MARK: - The wrappers

let wrappers: [Target] = [
    wrapper("FXKeychain"),
    wrapper("Lockbox"),
    wrapper("KCMutableDictionary"),
    .target(
        name: "KeychainObjects", dependencies: ["Security", "SecItemShim"], path: "Sources/Wrappers/KeychainObjects"),
    // Property lists and archives, in which the three wrappers with Objective-C originals store values.
    .target(name: "KeychainCoding", path: "Sources/Wrappers/KeychainCoding"),
    // The items of these three wrappers: their names, and how they are written.
    .target(name: "WrapperItems", dependencies: ["Security"], path: "Sources/Wrappers/WrapperItems"),
]

// MARK: - The tests

let tests: [Target] = [
    .testTarget(
        name: "ShimTests",
        dependencies: [
            "LocalAuthentication", "Security", "SecItemConformance", "SecItemObjects", "SecItemShim", "SecItemSealing",
            "SecItemSQLite", "SecItemStore", "ProcessKeychain", "TestSupport", crypto,
        ]),
    .testTarget(
        name: "ConformanceTests",
        dependencies: [
            "SecItemConformance", "SecItemSealing", "SecItemStore", "SecItemShim", "SecItemSQLite",
            "SecItemSynchronizing",
        ],
        resources: [.copy("Resources")]
    ),
    .testTarget(
        name: "SQLiteStoreTests",
        dependencies: [
            "CLibsqlite3", "SecItemShim", "SecItemSealing", "SecItemSQLite", "SecItemStore", "SecItemConformance",
            "StoreProbe", "TestSupport", crypto, cryptoExtras, logging,
        ],
        resources: [.copy("Fixtures")]
    ),
    // Empty without the trait PostgreSQL.
    .testTarget(
        name: "PostgreSQLStoreTests",
        dependencies: [
            "KeychainProbe", "PostgreSQLProbe", "SecItemConformance", "SecItemMaintenance", "SecItemPostgreSQL",
            "SecItemSQLite",
            "SecItemSealing", "SecItemSelection", "SecItemShim", "SecItemStore", "SecItemSynchronizing",
            "SecurityCommand", "ProcessKeychain", "TestSupport",
        ]
    ),
    .testTarget(
        name: "GnomeStoreTests",
        dependencies: ["KeychainProbe", "SecItemGnome", "SecItemStore", "SecItemConformance", "TestSupport"]
    ),
    .testTarget(
        name: "SelectionTests",
        dependencies: [
            "KeychainProbe", "TestSupport", "SecItemShim", "SecItemSealing", "SecItemSelection", "SecItemSQLite",
            "SecItemStore", "SecItemConformance", gnome,
        ]
    ),
    .testTarget(
        name: "PortalTests",
        dependencies: [
            "SecItemShim", "SecItemSealing", "SecItemSelection", "SecItemSQLite", "SecItemStore", "TestSupport", gnome,
        ]
    ),
    .testTarget(
        name: "LocalAuthenticationTests",
        dependencies: [
            "LocalAuthentication", "SecItemShim", "SecItemStore", "PresenceProbe", "SecItemBus",
            "TestSupport", systemBus,
        ]
    ),
    .testTarget(
        name: "MaintenanceTests",
        dependencies: [
            "SecItemMaintenance", "SecItemSealing", "SecItemShim", "SecItemStore", "SecItemSQLite",
            "SecItemSynchronizing", "SecItemConformance", "TestSupport", gnome, crypto,
        ]
    ),
    .testTarget(
        name: "SecurityCommandTests",
        dependencies: [
            "SecurityCommand", "SecItemConformance", "SecItemMaintenance", "SecItemSealing", "SecItemShim",
            "SecItemSQLite", "SecItemStore", "LocalAuthentication", "TestSupport", argumentParser,
        ]
    ),
    .testTarget(
        name: "GitCredentialTests",
        dependencies: [
            "GitCredentialKeychain", "GitCredentialProgram", "SecurityCommand", "Security", "SecItemConformance",
            "ProcessKeychain", "TestSupport",
        ]
    ),
    .testTarget(
        name: "WrapperTests",
        dependencies: [
            "Security", "FXKeychain", "Lockbox", "KCMutableDictionary", "KeychainObjects", "KeychainCoding",
            "WrapperProbe", "SecItemConformance", "SecItemStore", "ProcessKeychain", "TestSupport", "FoundationExtras",
            gnome, crypto,
        ],
        // The tests read them in the source folder.
        exclude: ["Fixtures"]
    ),
    .testTarget(
        name: "ClientStyleTests",
        dependencies: ["ClientStyleSwift5", "ClientStyleSwift6", "ClientWithOwnNames", "TestSupport"]
    ),
    .testTarget(
        name: "CompileUnchangedTests",
        dependencies: ["CompileUnchangedSwift5", "CompileUnchangedSwift6", "TestSupport"]
    ),
]

/// The traits that are on where nobody names any. `Scripts/test` compiles the library once, with all of them.
let defaultTraits: Set<String> =
    Context.environment["KEYCHAIN_TRAITS"] == "all" ? ["Desktop", "PostgreSQL", "TPM"] : ["Desktop"]

let frameworks: [Target.Dependency] = [
    "Security", "LocalAuthentication", "FXKeychain", "Lockbox", "KCMutableDictionary",
]

let testPrograms: [Target] = [
    testProgram("KeychainProbe", ["Security", "SecItemShim", "SecItemStore"]),
    testProgram("StoreProbe", ["Security", "SecItemSQLite", "SecItemSealing", "SecItemStore", "CLibsqlite3"]),
    testProgram(
        "PostgreSQLProbe",
        ["SecItemPostgreSQL", "SecItemSQLite", "SecItemSealing", "SecItemStore", "SecItemSynchronizing"]),
    testProgram("PresenceProbe", ["LocalAuthentication", "SecItemShim", "SecItemStore", systemBus]),
    testProgram(
        "WrapperProbe",
        [
            "Security", "FXKeychain", "Lockbox", "KCMutableDictionary", "KeychainObjects", "KeychainCoding",
            "SecItemConformance",
        ]
    ),
    testProgram("ClientStyleSwift5", ["Security"], swift5: true),
    testProgram("ClientStyleSwift6", ["Security"]),
    testProgram("ClientWithOwnNames", ["Security"]),
    testProgram("CompileUnchangedSwift5", frameworks, swift5: true),
    testProgram("CompileUnchangedSwift6", frameworks),
    // Shared by test targets; part of no product.
    .target(name: "TestSupport", dependencies: [logging], path: "Tests/TestSupport"),
    .target(name: "ProcessKeychain", path: "Tests/ProcessKeychain"),
    // A client's module whose name begins with "Foundation".
    .target(name: "FoundationExtras", path: "Tests/FoundationExtras"),
]

// MARK: - The package

let package = Package(
    name: "secitem",
    products: [
        .library(name: "Security", targets: ["Security"]),
        .library(name: "LocalAuthentication", targets: ["LocalAuthentication"]),
        .library(name: "SecItemShim", targets: ["SecItemShim", "SecItemSelection"]),
        // Scripts/install installs it as libSecurity.so.
        .library(name: "SecItemC", type: .dynamic, targets: ["SecItemC", "CSecItem"]),
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
        // A single trait. SwiftPM passes several traits to the compiler in an order that changes from run to run, and
        // compiles the whole package again if the order has changed.
        .default(enabledTraits: defaultTraits),
        .trait(name: "Desktop", description: "What the traits Gnome and Polkit add."),
        .trait(name: "Gnome", description: "Items on the desktop's Secret Service, through libsecret."),
        .trait(name: "Polkit", description: "Questions to the person at the screen, and the session's lock."),
        .trait(name: "PostgreSQL", description: "Items in a PostgreSQL database, through libpq."),
        .trait(name: "TPM", description: "Keys and the store's root key in a TPM 2.0, through tpm2-tss."),
    ],
    dependencies: [
        // Only the command line needs it.
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
        .package(url: "https://github.com/apple/swift-asn1", from: "1.3.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.0.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.11.0"),
    ],
    targets: library + cInterface + stores + commandLine + wrappers + tests + testPrograms,
    swiftLanguageModes: [.v6]
)

// swift-tools-version: 6.1
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

/// Two programs for each wrapper: a demonstration, and a short one that the documentation quotes.
let package = Package(
    name: "wrappers",
    dependencies: [
        .package(name: "secitem", path: "../..")
    ],
    targets: [
        .executableTarget(
            name: "use-fxkeychain",
            dependencies: [.product(name: "FXKeychain", package: "secitem")],
            path: "Sources/UseFXKeychain"
        ),
        .executableTarget(
            name: "use-lockbox",
            dependencies: [
                .product(name: "Lockbox", package: "secitem"),
                .product(name: "Security", package: "secitem"),
            ],
            path: "Sources/UseLockbox"
        ),
        .executableTarget(
            name: "use-kcmutabledictionary",
            dependencies: [.product(name: "KCMutableDictionary", package: "secitem")],
            path: "Sources/UseKCMutableDictionary"
        ),
        .executableTarget(
            name: "use-keychain-objects",
            dependencies: [.product(name: "KeychainObjects", package: "secitem")],
            path: "Sources/UseKeychainObjects"
        ),
        .executableTarget(
            name: "short-fxkeychain",
            dependencies: [.product(name: "FXKeychain", package: "secitem")],
            path: "Sources/ShortFXKeychain"
        ),
        .executableTarget(
            name: "short-lockbox",
            dependencies: [.product(name: "Lockbox", package: "secitem")],
            path: "Sources/ShortLockbox"
        ),
        .executableTarget(
            name: "short-kcmutabledictionary",
            dependencies: [.product(name: "KCMutableDictionary", package: "secitem")],
            path: "Sources/ShortKCMutableDictionary"
        ),
        .executableTarget(
            name: "short-keychainobjects",
            dependencies: [.product(name: "KeychainObjects", package: "secitem")],
            path: "Sources/ShortKeychainObjects"
        ),
    ],
    swiftLanguageModes: [.v6]
)

// swift-tools-version: 6.1

import PackageDescription

/// One program for each wrapper.
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
    ],
    swiftLanguageModes: [.v6]
)

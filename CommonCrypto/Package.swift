// swift-tools-version: 6.1
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

/// `import CommonCrypto` for sources that cannot do without. A package of its own: `canImport(CommonCrypto)` changes what
/// other packages compile, so that only who names it gets it.
let package = Package(
    name: "commoncrypto",
    products: [.library(name: "CommonCrypto", targets: ["CommonCrypto"])],
    targets: [
        // C, so that Swift imports every name with the type that it has on Apple's platforms.
        .target(name: "CommonCrypto", cSettings: [.define("_GNU_SOURCE")], linkerSettings: [.linkedLibrary("dl")]),
        .testTarget(name: "CommonCryptoTests", dependencies: ["CommonCrypto"]),
        .testTarget(
            name: "CommonCryptoSwift5Tests",
            dependencies: ["CommonCrypto"],
            swiftSettings: [.swiftLanguageMode(.v5)]
        ),
    ],
    swiftLanguageModes: [.v6]
)

// swift-tools-version: 6.1
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

/// `import CommonCrypto` for sources that need it. It is a separate package because `canImport(CommonCrypto)` changes
/// how other packages compile, so only packages that name it get it.
let package = Package(
    name: "commoncrypto",
    products: [.library(name: "CommonCrypto", targets: ["CommonCrypto"])],
    targets: [
        // The target is in C, so that Swift imports every name with the same type as on Apple's platforms.
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

// swift-tools-version: 6.1

import PackageDescription

/// `import CryptoKit` for sources that cannot do without. A package of its own: `canImport(CryptoKit)` changes what other
/// packages compile, so that only who names it gets it.
let package = Package(
    name: "cryptokit",
    products: [.library(name: "CryptoKit", targets: ["CryptoKit"])],
    dependencies: [
        .package(url: "https://github.com/apple/swift-crypto", "3.0.0"..<"5.0.0")
    ],
    targets: [
        .target(name: "CryptoKit", dependencies: [.product(name: "Crypto", package: "swift-crypto")]),
        .testTarget(name: "CryptoKitTests", dependencies: ["CryptoKit"]),
    ],
    swiftLanguageModes: [.v6]
)

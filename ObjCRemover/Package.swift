// swift-tools-version: 6.1
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

/// Sources for Apple's platforms without their Objective-C attributes, which Swift rejects on Linux. A package of its
/// own, so that swift-syntax is built by those who need it only.
let package = Package(
    name: "objc-remover",
    products: [
        .plugin(name: "ObjCRemover", targets: ["ObjCRemover"]),
        .executable(name: "objc-remover", targets: ["objc-remover"]),
    ],
    dependencies: [
        .package(url: "https://github.com/swiftlang/swift-syntax", "600.0.1"..<"604.0.0")
    ],
    targets: [
        .plugin(name: "ObjCRemover", capability: .buildTool(), dependencies: ["objc-remover"]),
        .executableTarget(name: "objc-remover", dependencies: ["ObjCRemoval"]),
        .target(
            name: "ObjCRemoval",
            dependencies: [
                .product(name: "SwiftSyntax", package: "swift-syntax"),
                .product(name: "SwiftParser", package: "swift-syntax"),
            ]
        ),
        .testTarget(name: "ObjCRemovalTests", dependencies: ["ObjCRemoval"]),
    ],
    swiftLanguageModes: [.v6]
)

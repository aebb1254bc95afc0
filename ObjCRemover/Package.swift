// swift-tools-version: 6.1
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

/// Removes the Objective-C attributes, which Swift rejects on Linux, from sources for Apple's platforms. It is a
/// separate package, so that only its users have to build swift-syntax. Its tests are in Tests/Packages/WithObjC, which builds
/// it as a user does.
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
    ],
    swiftLanguageModes: [.v6]
)

// swift-tools-version: 6.0
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// Built with a toolset, so it does not refer to this repository. Then only this file is compiled, which takes seconds.
let package = Package(
    name: "counts",
    targets: [.executableTarget(name: "Counts")]
)

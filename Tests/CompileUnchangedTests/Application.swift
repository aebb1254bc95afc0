// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// A program that is built with the tests and runs from a folder with an Info.plist, like an application.
final class Application {
    static let bundleIdentifier = "org.example.compile-unchanged"

    private let folder: TemporaryFolder
    private let executable: URL

    init(_ name: String) throws {
        folder = try TemporaryFolder()
        executable = folder.url.appendingPathComponent(name)
        let built = URL(fileURLWithPath: try Program.built(name).executable)
        // A symbolic link would lead back to the folder of the tests.
        do {
            try FileManager.default.linkItem(at: built, to: executable)
        } catch {
            try Program.copy(built.path, to: executable.path)
        }
        let information = ["CFBundleIdentifier": Self.bundleIdentifier]
        try PropertyListSerialization.data(fromPropertyList: information, format: .xml, options: 0)
            .write(to: folder.url.appendingPathComponent("Info.plist"))
    }

    func run(_ arguments: [String]) throws -> FinishedProgram {
        var environment = Program.inheritedEnvironment.filter { !$0.key.hasPrefix("SECITEM_") }
        environment["SECITEM_STORE"] = "embedded"
        environment["SECITEM_DIRECTORY"] = folder.path + "/store"
        return try Program(executable.path, arguments, environment: environment).run()
    }
}

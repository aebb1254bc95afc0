// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The program that the plugin runs, as it was built for this package's own sources.
enum Remover {
    private static var program: URL {
        let folder = Bundle.main.executableURL?.deletingLastPathComponent() ?? URL(fileURLWithPath: ".")
        // What runs during a build has another name than what a package offers.
        let programs = ["objc-remover-tool", "objc-remover"].map(folder.appendingPathComponent)
        return programs.first { FileManager.default.isExecutableFile(atPath: $0.path) } ?? programs[0]
    }

    /// Runs it. Gives its exit status and what it says on standard error.
    static func run(_ source: URL, _ copy: URL) throws -> (status: Int32, errors: String) {
        let process = Process(), errors = Pipe()
        process.executableURL = program
        process.arguments = [source.path, copy.path]
        process.standardError = errors
        try process.run()
        let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, text)
    }
}

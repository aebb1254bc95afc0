// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// A finished run of the program `KeychainProbe`, in a separate environment.
struct Probe {
    /// The lines of its output.
    let lines: [String]
    /// Its output on standard error.
    let errors: String
    let status: Int32

    /// - Parameters:
    ///   - arguments: The command and its arguments.
    ///   - environment: The whole environment. Nothing is inherited.
    ///   - launcher: A program and arguments that run the probe, such as `setpriv`.
    ///   - executable: The probe; by default, the one that was built with the tests.
    init(
        _ arguments: String..., environment: [String: String] = [:], through launcher: [String] = [],
        executable: String? = nil
    ) throws {
        try self.init(arguments, environment: environment, through: launcher, executable: executable)
    }

    /// The same with the arguments as separate parameters.
    init(
        _ arguments: [String], environment: [String: String], through launcher: [String] = [],
        executable: String? = nil
    ) throws {
        let command = try launcher + [executable ?? Self.path] + arguments
        let path = ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"]
        let program = Program(
            "/usr/bin/env", command, environment: environment.merging(path) { given, _ in given })
        let finished = try program.run()
        lines = finished.lines
        errors = finished.errors
        status = finished.status
    }

    /// The path of the probe.
    static var path: String { get throws { try Program.built("KeychainProbe").executable } }
}

extension TemporaryFolder {
    /// Makes a subfolder.
    @discardableResult
    func make(_ name: String, mode: mode_t = 0o755, owner: uid_t? = nil) throws -> String {
        let path = self.path + "/" + name
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        try #require(chmod(path, mode) == 0)
        if let owner { try #require(chown(path, owner, owner) == 0) }
        return path
    }
}

/// A condition for tests with other users, which only root can run.
enum Root {
    static let isHere = geteuid() == 0
    static let reason: Comment = "run it as root: it needs other users"
}

// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// A program with more rights than its caller ignores its caller's environment.
@Suite(.enabled(if: Root.isHere, Root.reason)) struct SecureExecutionTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try #require(chmod(folder.path, 0o755) == 0)
    }

    private static let asAnotherUser = ["setpriv", "--reuid", "54322", "--regid", "54322", "--clear-groups"]

    private func copy(mode: mode_t) throws -> String {
        let path = folder.path + "/probe"
        try Program.copy(try Probe.path, to: path)
        try #require(chown(path, 54_321, 54_321) == 0 && chmod(path, mode) == 0)
        return path
    }

    @Test(arguments: [(mode_t(0o755), false), (0o4755, true), (0o2755, true)])
    func environment_isBelieved_onlyWithoutMoreRights(_ mode: mode_t, _ isSecure: Bool) throws {
        let probe = try Probe(
            "trust", environment: ["SECITEM_STORE": "memory"], through: Self.asAnotherUser,
            executable: try copy(mode: mode))
        #expect(probe.status == 0, "\(probe.errors)")
        #expect(probe.lines.first == "secure \(isSecure)")
        #expect((probe.lines.last == "variables 0") == isSecure)
    }
}

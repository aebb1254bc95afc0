// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The system calls of a program's first look-up, counted with `strace`. Unlike times, counts do not depend on the
/// machine.
@Suite(.enabled(if: SystemCalls.canBeCounted, "strace is not there, or may not trace"))
struct OpeningCostTests {
    private let folder: TemporaryFolder
    private let environment: [String: String]

    init() throws {
        folder = try TemporaryFolder()
        environment = ["HOME": folder.path, "SECITEM_APPLICATION_IDENTIFIER": "app"]
        try #require(Probe("add", "one", environment: environment).lines == ["0"])
    }

    /// One connection that cannot write, and no thread.
    @Test func firstLookUp_opensTheDatabaseOnce() throws {
        let calls = try SystemCalls(of: "first-find", "one", environment: environment)
        #expect(calls.output == ["begin", "0"])
        let openings = calls.lines.filter { $0.contains("openat(") && $0.contains("/items.db\"") }
        #expect(openings.count == 1 && openings.allSatisfy { $0.contains("O_RDONLY") }, "\(openings)")
        #expect(!calls.lines.contains { $0.contains("clone") })
        // Each file of the store is checked only before and after the database is opened.
        #expect(calls.lines.filter { $0.contains("\"device.key.new\"") }.count == 2)
    }

    /// A limit. A change that needs more system calls should be deliberate.
    @Test func firstLookUp_keepsToItsBudget() throws {
        let calls = try SystemCalls(of: "first-find", "one", environment: environment)
        #expect(calls.lines.count <= 215, "\(calls.lines.joined(separator: "\n"))")
    }
}

/// The system calls of a probe from the line "begin" on.
private struct SystemCalls {
    let lines: [String]
    /// The output of the probe.
    let output: [String]

    static let canBeCounted = (try? Program("strace", ["-o", "/dev/null", "true"]).run().status) == 0

    init(of arguments: String..., environment: [String: String]) throws {
        let folder = try TemporaryFolder()
        let record = folder.path + "/calls"
        let probe = try Probe(
            arguments, environment: environment, through: ["strace", "-f", "-qq", "-o", record])
        output = probe.lines
        let all = try String(contentsOfFile: record, encoding: .utf8).split(separator: "\n").map(String.init)
        let begin = try #require(all.firstIndex { $0.contains("write(1, \"begin") })
        lines = Array(all[(begin + 1)...])
    }
}

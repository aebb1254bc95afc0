// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemShim
import TestSupport
import Testing

/// The call that needs the store opens it, without holding a lock.
@Suite(.serialized, .timeLimit(.minutes(60))) struct OpeningTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func probe(_ command: String) throws -> Probe {
        try Probe(command, folder.path + "/store", environment: ["HOME": folder.path])
    }

    @Test func passphraseClosure_thatUsesTheKeychain_isAnswered() throws {
        let probe = try probe("reenter")
        #expect(probe.status == 0, "\(probe.errors)")
        let inside = probe.lines.filter { $0.hasPrefix("inside") }
        // Before the store is made, it has no items.
        #expect(inside.first == "inside -25300 -25308", "\(probe.lines)")
        // Once for the new store, which is made and unlocked, and once for the existing one.
        #expect(inside.count == 2 && inside.allSatisfy { $0.hasSuffix(" -25308") }, "\(probe.lines)")
        #expect(probe.lines.filter { $0.hasPrefix("outside") } == ["outside 0 0", "outside 0 0"])
    }

    @Test func personIsSlow_whoMustNotAsk_isAnswered_othersWait() throws {
        let probe = try probe("slow-person")
        #expect(probe.status == 0, "\(probe.errors)")
        #expect(
            probe.lines.filter { $0.hasPrefix("fail") || $0.hasPrefix("skip") || $0.hasPrefix("wrong") }.count == 6)
        #expect(probe.lines.filter { $0 == "fail -25308" }.count == 2, "\(probe.lines)")
        #expect(probe.lines.filter { $0 == "wrong -50" || $0 == "wrong -25306" }.count == 2, "\(probe.lines)")
        #expect(probe.lines.filter { $0 == "first 0" }.count == 2, "\(probe.lines)")
        #expect(probe.lines.filter { $0.hasPrefix("waited") }.count == 2, "\(probe.lines)")
        #expect(probe.lines.filter { $0 == "added 0" }.count == 2, "\(probe.lines)")
    }
}

// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemConformance
import TestSupport
import Testing

extension WrapperTests {
    /// Operations that must not end the process, in a separate process. The message of a failure has the seed, and
    /// `SECITEM_SEED` repeats the run.
    @Suite struct SafetyTests {
        private static let rounds = RandomRounds.usually(50).count

        init() throws { try PrivateHome.use() }

        private func run(_ what: String, rounds: Int = rounds, _ more: [String] = []) throws {
            let arguments = [what, "\(RandomSeed.ofThisRun)", "\(rounds)"] + more
            var program = try Program.built("WrapperProbe", arguments, adding: ["SWIFT_BACKTRACE": "enable=no"])
            // Runs all requested rounds, however long they take.
            program.timeLimit = max(300, Double(rounds))
            let end = try program.run()
            #expect(end.status == 0, "WrapperProbe \(arguments.joined(separator: " ")): \(end)")
        }

        @Test func objectsOfAllKinds_comeBackOrAreRefused() throws {
            try run("random-objects")
        }

        @Test func bytesOfAllKinds_doNoHarm() throws {
            try run("random-bytes", rounds: 3 * Self.rounds, [Fixture.folder.path])
        }

        /// Values that contain themselves through each type of collection, because random values may not cover all of
        /// them.
        @Test func whatHoldsItself_isRefused() throws {
            try run("circles", rounds: 1)
        }

        /// The closure that gives the passphrase of its store uses the dictionary that needs it.
        @Test(.timeLimit(.minutes(60))) func dictionary_isNeverWaitedForInVain() throws {
            let folder = try TemporaryFolder()
            let probe = try Program.built(
                "WrapperProbe", ["question", "0", "0", folder.path], adding: ["SECITEM_KEY_CACHE": "none"])
            let end = try probe.run()
            #expect(end.status == 0, "\(end)")
        }

        @Test func foundationsOwnCode_readsADictionaryOfTheKeychain() throws {
            try run("foundation", rounds: 60)
        }
    }
}

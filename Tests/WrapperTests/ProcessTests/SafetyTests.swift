import Foundation
import TestSupport
import Testing

extension WrapperTests {
    /// What must not end the process, tried in a process of its own. The seed is in the message of a failure;
    /// `WrapperProbe random-bytes SEED ROUNDS` does it again. `SECITEM_RANDOM_ROUNDS` asks for more rounds than the few
    /// that are run each time.
    @Suite struct SafetyTests {
        private static let rounds =
            ProcessInfo.processInfo.environment["SECITEM_RANDOM_ROUNDS"].flatMap { Int($0) } ?? 100

        private func run(_ what: String, seed: UInt64, rounds: Int = rounds) throws {
            let variables = ["SWIFT_BACKTRACE": "enable=no"]
            var program = try Program.built("WrapperProbe", [what, "\(seed)", "\(rounds)"], adding: variables)
            // As many as are asked for, however long they take.
            program.timeLimit = max(300, Double(rounds))
            let end = try program.run()
            #expect(end.status == 0, "WrapperProbe \(what) \(seed) \(rounds): \(end)")
        }

        @Test func objectsOfAllKinds_comeBackOrAreRefused() throws {
            try run("random-objects", seed: 7)
            try run("random-objects", seed: .random(in: 0...UInt64.max))
        }

        @Test func bytesOfAllKinds_doNoHarm() throws {
            try run("random-bytes", seed: 7)
            try run("random-bytes", seed: .random(in: 0...UInt64.max))
        }

        /// What holds itself by way of every kind of collection: random objects may leave one out.
        @Test func whatHoldsItself_isRefused() throws {
            try run("circles", seed: 0, rounds: 1)
        }

        @Test func foundationsOwnCode_readsADictionaryOfTheKeychain() throws {
            try run("foundation", seed: 0, rounds: 60)
        }
    }
}

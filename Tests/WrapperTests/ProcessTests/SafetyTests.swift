import Foundation
import SecItemConformance
import TestSupport
import Testing

extension WrapperTests {
    /// What must not end the process, tried in a process of its own. The seed is in the message of a failure, and
    /// `SECITEM_SEED` runs it again. `SECITEM_RANDOM_ROUNDS` asks for more rounds than the few that are run each time.
    @Suite struct SafetyTests {
        private static let rounds =
            ProcessInfo.processInfo.environment["SECITEM_RANDOM_ROUNDS"].flatMap { Int($0) } ?? 300

        private func run(_ what: String, rounds: Int = rounds, _ more: [String] = []) throws {
            let arguments = [what, "\(RandomSeed.ofThisRun)", "\(rounds)"] + more
            var program = try Program.built("WrapperProbe", arguments, adding: ["SWIFT_BACKTRACE": "enable=no"])
            // As many as are asked for, however long they take.
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

        /// What holds itself by way of every kind of collection: random objects may leave one out.
        @Test func whatHoldsItself_isRefused() throws {
            try run("circles", rounds: 1)
        }

        @Test func foundationsOwnCode_readsADictionaryOfTheKeychain() throws {
            try run("foundation", rounds: 60)
        }
    }
}

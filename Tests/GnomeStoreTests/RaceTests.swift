// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemGnome
import SecItemStore
import TestSupport
import Testing

extension OnARealService {
    /// Primary keys are unique, although the service has none: threads and processes add the same item at the same
    /// time.
    @Suite(.serialized)
    struct RaceTests {
        private static let rounds = 10
        private static let role = ProcessInfo.processInfo.environment["SECITEM_RACE_GROUP"]

        @Test func insert_eightThreads_oneWins() throws {
            let world = try #require(PrivateBus.shared)
            let group = "race." + UUID().uuidString
            let wins = Shared<[Int: Int]>([:])
            let workers = (0..<8).map { _ in
                let store = world.store()
                return Worker { Self.addAll(store, group) { round in wins.change { $0[round, default: 0] += 1 } } }
            }
            workers.forEach { $0.join() }
            try expectOneWinEach(wins.value, world, group)
        }

        /// Sessions that are opened at the same moment must not end the service. See ``ServiceSession``.
        ///
        /// Without the mend, this fails in two of three runs. `session_isOpenedAfterTheFirstAnswer` fails in each.
        @Test(.enabled(if: PrivateBus.isGnomeKeyring, "only gnome-keyring ended"))
        func sessions_manyAtOnce_leaveTheServiceAlive() throws {
            let bus = try PrivateBus()
            let failures = Shared(0)
            let workers = (0..<8).map { _ in
                Worker {
                    for _ in 0..<200 {
                        let found = Result { try bus.store().secret(.password("race", "none")) }
                        if case .failure = found { failures.change { $0 += 1 } }
                    }
                }
            }
            workers.forEach { $0.join() }
            #expect(failures.value == 0)
            #expect(try bus.store().secret(.password("race", "none")) == nil)
        }

        @Test func insert_eightProcesses_oneWins() throws {
            let world = try #require(PrivateBus.shared)
            let group = "race." + UUID().uuidString
            var environment = world.environment
            environment["SECITEM_RACE_GROUP"] = group
            let program = try Program.test("worker_addsAll", environment: environment)
            let workers = try (0..<8).map { _ in try program.start() }
            var wins: [Int: Int] = [:]
            for worker in workers {
                for line in try worker.waitUntilExit().lines where line.hasPrefix("won ") {
                    if let round = Int(line.dropFirst(4)) { wins[round, default: 0] += 1 }
                }
            }
            try expectOneWinEach(wins, world, group)
        }

        /// The work of each of the processes.
        @Test(.enabled(if: role != nil, "only as a process of insert_eightProcesses_oneWins"))
        func worker_addsAll() throws {
            Self.addAll(try #require(PrivateBus.shared).store(), try #require(Self.role)) { round in
                FileHandle.standardOutput.write(Data("won \(round)\n".utf8))
            }
        }

        private static func addAll(_ store: LibsecretStore, _ group: String, won: (Int) -> Void) {
            for round in 0..<rounds {
                let record = ItemRecord.password("race \(round)", "a", group: group)
                if (try? store.insert(record, interaction: .forbidden)) != nil { won(round) }
            }
        }

        private func expectOneWinEach(_ wins: [Int: Int], _ world: PrivateBus, _ group: String) throws {
            for round in 0..<Self.rounds {
                #expect(wins[round] == 1, "round \(round)")
                #expect(try world.store().all(.password("race \(round)", group: group)).count == 1)
            }
            _ = try world.store().delete(matching: .password(group: group), interaction: .forbidden)
        }
    }
}

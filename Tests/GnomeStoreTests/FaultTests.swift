// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemConformance
import SecItemGnome
import SecItemStore
import TestSupport
import Testing

extension OnARealService {
    /// Calls during failures of the service, and after changes by other programs, on gnome-keyring.
    @Suite(.serialized, .enabled(if: PrivateBus.isGnomeKeyring, "only gnome-keyring can be told to"))
    struct FaultTests {
        @Test func service_restartedBetweenCalls_isFoundAgain() throws {
            let world = try PrivateBus()
            let store = world.store()
            try store.insert(.password("restart", "a"), interaction: .forbidden)
            #expect(try store.secret(.password("restart", "a")) == "secret")
            for _ in 0..<3 {
                try world.run("kill")
                try world.run("restart", "unlocked")
                #expect(try store.secret(.password("restart", "a")) == "secret")
                #expect(try store.secret(.password("restart", "a")) == "secret")
            }
            try world.run("kill")
            try world.run("restart", "unlocked")
            let changes = RecordChanges.secret("new")
            #expect(
                try store.update(matching: .password("restart"), applying: changes, interaction: .forbidden) == 1)
            try world.run("kill")
            try world.run("restart", "unlocked")
            #expect(try store.delete(matching: .password("restart"), interaction: .forbidden) == 1)
        }

        /// A thread that opens a session holds no lock, so a service that is slow to answer it stops nobody else.
        @Test(.timeLimit(.minutes(60))) func calls_areAnswered_whileAnotherThreadOpensASession() throws {
            let world = try PrivateBus()
            let filter = RecordFilter.password("slow", "a")
            try world.store().insert(.password("slow", "a"), interaction: .forbidden)
            let store = Shared<LibsecretStore?>(nil), isOpening = Shared(false), found = Shared<[String?]>([])
            var configuration = LibsecretStore.Configuration(environment: world.environment)
            configuration.canPrompt = false
            configuration.beforeCall = { _ in
                if isOpening.value { return }
                isOpening.change { $0 = true }
                Worker {
                    let secret = try? store.value?.secret(filter)
                    found.change { $0.append(secret) }
                }.join()
            }
            store.change { $0 = LibsecretStore(configuration: configuration) }
            #expect(try store.value?.secret(filter) == "secret")
            #expect(found.value == ["secret"])
            store.change { $0 = nil }
        }

        @Test func service_dead_isUnavailableAndComesBack() throws {
            let world = try PrivateBus()
            let store = world.store()
            try store.insert(.password("dead", "a"), interaction: .forbidden)
            try world.run("kill")
            #expect(code { _ = try store.secret(.password("dead", "a")) } == .unavailable)
            #expect(code { try store.insert(.password("dead", "b"), interaction: .forbidden) } == .unavailable)
            #expect(store.summary.contains("not available"))
            #expect(!LibsecretStore.isServiceAvailable(configuration: .init(environment: world.environment)))
            try world.run("restart", "unlocked")
            #expect(try store.all(.password("dead")).count == 1)
        }

        @Test func service_killedDuringInserts_losesNothingAndDoublesNothing() throws {
            let world = try PrivateBus()
            let store = world.store()
            var random = SeededGenerator()
            for round in RandomRounds.usually(12) {
                let stored = Shared<[String]>([])
                let isOver = Shared(false)
                let writer = Worker {
                    for number in 0..<500 where !isOver.value {
                        let account = "\(round).\(number)"
                        if (try? store.insert(.password("kill", account), interaction: .forbidden)) != nil {
                            stored.change { $0.append(account) }
                        }
                    }
                }
                usleep(UInt32.random(in: 0..<30_000, using: &random))
                try world.run("kill")
                try world.run("restart", "unlocked")
                isOver.change { $0 = true }
                writer.join()
                let found = try store.all(.password("kill")).compactMap { $0.attributes[.account]?.string }
                #expect(Set(found).count == found.count)
                #expect(Set(stored.value).isSubset(of: found), "round \(round)")
                _ = try store.delete(matching: .password("kill"), interaction: .forbidden)
            }
        }

        @Test func service_killedDuringAnUpdateOfMany_canBeUpdatedAgain() throws {
            let world = try PrivateBus()
            let store = world.store()
            for number in 0..<30 { try store.insert(.password("many", "\(number)", "0"), interaction: .forbidden) }
            var random = SeededGenerator()
            for round in 1...4 {
                let text = "\(round)"
                let changes = RecordChanges(
                    attributes: [.comment: .string(text)], secrets: [.valueData: Secret(Data(text.utf8))]
                )
                let writer = Worker {
                    _ = try? store.update(matching: .password("many"), applying: changes, interaction: .forbidden)
                }
                usleep(UInt32.random(in: 0..<60_000, using: &random))
                try world.run("kill")
                try world.run("restart", "unlocked")
                writer.join()
                #expect(try store.all(.password("many")).count == 30)
                #expect(
                    try store.update(matching: .password("many"), applying: changes, interaction: .forbidden) == 30)
                #expect(try store.all(.password("many")).allSatisfy { $0.text == text })
            }
        }

        @Test func collection_deletedUnderUs_isNotTakenForAnotherFailure() throws {
            let world = try PrivateBus()
            let store = world.store(canPrompt: true)
            try store.insert(.password("deleted", "a"), interaction: .forbidden)
            try world.run("prompter", "answer")
            let root = "/org/freedesktop/secrets"
            try world.tool(
                "gdbus", "call", "--session", "-d", "org.freedesktop.secrets", "-o", root + "/collection/login", "-m",
                "org.freedesktop.Secret.Collection.Delete"
            )
            #expect(try store.secret(.password("deleted", "a")) == nil)
            #expect(code { try store.insert(.password("deleted", "b"), interaction: .forbidden) } == .locked)
            try store.insert(.password("deleted", "b"), interaction: .allowed)
            #expect(try store.secret(.password("deleted", "b")) == "secret")
        }

        @Test func reference_overRestartLockAndNewLabel_staysTheItems() throws {
            let world = try PrivateBus()
            let store = world.store()
            let record = ItemRecord.password("reference", "a", "mine")
            try store.insert(record, interaction: .forbidden)
            let filter = RecordFilter(itemClass: .genericPassword, reference: record.reference)
            try world.run("lock")
            try world.run("unlock")
            #expect(try store.all(filter).map(\.text) == ["mine"])
            let changes = RecordChanges(attributes: [.label: .string("other")], secrets: [:])
            _ = try store.update(matching: filter, applying: changes, interaction: .forbidden)
            try world.run("restart", "unlocked")
            #expect(try store.all(filter).map(\.text) == ["mine"])
            // After a restart, gnome-keyring gives the path of the deleted item to the next one.
            _ = try store.delete(matching: filter, interaction: .forbidden)
            try world.run("restart", "unlocked")
            try store.insert(.password("reference", "b", "another"), interaction: .forbidden)
            #expect(try store.all(filter).isEmpty)
        }

        @Test func items_aHundred_areFoundAndDeleted() throws {
            let world = try PrivateBus()
            let store = world.store()
            let texts = (0..<100).map { "\($0)" }
            for text in texts { try store.insert(.password("hundred", text, text), interaction: .forbidden) }
            #expect(try store.all(.password("hundred")).map(\.text) == texts)
            #expect(try world.store().all(.password("hundred")).map(\.text) == texts)
            #expect(try store.delete(matching: .password("hundred"), interaction: .forbidden) == texts.count)
        }

        @Test func items_twoThousand_areFoundChangedAndDeleted() throws {
            let world = try PrivateBus(.passwordless)
            let texts = (0..<2000).map { "\($0)" }
            try world.store().insert(.password("thousands", "number", "number"), interaction: .forbidden)
            try world.run("kill")
            try world.run("multiply", "\(texts.count)")
            try world.run("restart", "locked")
            // The first call waits until all items are read.
            let store = world.store(callTimeLimit: 120)
            #expect(try store.all(.password("thousands")).map(\.text) == texts)
            #expect(code { try store.insert(.password("thousands", "77"), interaction: .forbidden) } == .duplicate)
            try store.insert(.password("thousands", "new", "new"), interaction: .forbidden)
            let changes = RecordChanges.secret("changed")
            let last = RecordFilter.password("thousands", "1999")
            #expect(try store.update(matching: last, applying: changes, interaction: .forbidden) == 1)
            #expect(try world.store().secret(last) == "changed")
            #expect(try store.delete(matching: .password("thousands", "0"), interaction: .forbidden) == 1)
            #expect(try world.store().secret(.password("thousands", "0")) == nil)
            #expect(try store.all(.password("thousands")).map(\.text) == texts[1..<1999] + ["changed", "new"])
        }

        @Test func store_withoutBus_isUnavailable() throws {
            let store = LibsecretStore(configuration: .init(environment: ["XDG_RUNTIME_DIR": "/nonexistent"]))
            #expect(code { _ = try store.secret(.password("x")) } == .unavailable)
            let address = "unix:path=/nonexistent/bus"
            let other = LibsecretStore(configuration: .init(environment: ["DBUS_SESSION_BUS_ADDRESS": address]))
            #expect(code { _ = try other.secret(.password("x")) } == .unavailable)
            #expect(
                !LibsecretStore.isServiceAvailable(
                    configuration: .init(environment: ["DBUS_SESSION_BUS_ADDRESS": address])))
        }

        /// The order of the ends shows that each call has its own limit: the call with the longer limit, made first,
        /// ends last.
        @Test(.timeLimit(.minutes(60))) func service_stopped_endsInTime() throws {
            let world = try PrivateBus()
            let (store, patient) = (world.store(callTimeLimit: 1), world.store(callTimeLimit: 15))
            try patient.insert(.password("stopped", "a"), interaction: .forbidden)
            #expect(try patient.secret(.password("stopped", "a")) == "secret")
            let process = try #require(world.providerProcess)
            kill(process, SIGSTOP)
            defer { kill(process, SIGCONT) }
            let ended = Shared<[String]>([])
            let worker = Worker {
                let code = code { _ = try patient.secret(.password("stopped", "a")) }
                ended.change { $0.append("patient: \(code?.name ?? "")") }
            }
            #expect(code { _ = try store.secret(.password("stopped", "a")) } == .io)
            #expect(code { try store.insert(.password("stopped", "b"), interaction: .forbidden) } == .io)
            ended.change { $0.append("impatient") }
            worker.join()
            #expect(ended.value == ["impatient", "patient: io"])
        }
    }
}

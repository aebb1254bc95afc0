// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemConformance
import SecItemStore
import Synchronization
import TestSupport
import Testing

@testable import SecItemGnome

extension OnARealService {
    /// Something happens to the service before one of the calls that a change makes. Afterwards, either everything is
    /// as before and the call has failed, or the whole change is done.
    @Suite(.serialized, .enabled(if: PrivateBus.isGnomeKeyring, "only gnome-keyring can be told to"))
    struct InterruptionTests {
        /// An event that happens to the service.
        enum Event: String, CaseIterable, CustomTestStringConvertible {
            case lock, lockAndUnlock, kill, killAndRestart
            var testDescription: String { rawValue }
        }

        /// The change that it interrupts.
        enum Change: String, CaseIterable, CustomTestStringConvertible {
            case insert, updateOfThree, updateOfOthers, deleteOfThree, deleteOfOthers

            /// Whether two of the three items belong to another program.
            var isOfOthers: Bool { self == .updateOfOthers || self == .deleteOfOthers }
            var testDescription: String { rawValue }

            func make(_ store: LibsecretStore) throws {
                let filter = RecordFilter.password("interrupted")
                switch self {
                // On the service, a secret with a line break or a backslash has another form.
                case .insert: try store.insert(.password("interrupted", "new", "\nnew"), interaction: .forbidden)
                case .updateOfThree, .updateOfOthers:
                    let changes = RecordChanges(
                        attributes: [.comment: .string("changed"), .label: .string("changed")],
                        secrets: [.valueData: Secret(Data("changed".utf8))])
                    _ = try store.update(matching: filter, applying: changes, interaction: .forbidden)
                case .deleteOfThree, .deleteOfOthers:
                    _ = try store.delete(matching: filter, interaction: .forbidden)
                }
            }
        }

        /// Another program, which does not wait for its turn. It is faster than a real one, which would have to
        /// be started each time.
        private final class Stranger {
            private let session: ServiceSession
            private let collection = ServiceSession.root + "/collection/login"

            init(_ bus: PrivateBus) throws {
                let address = try SessionBusAddress.find(in: bus.environment)
                session = try ServiceSession(address: address, timeLimit: 120, allowsPlain: false)
            }

            func add(_ account: String) throws {
                _ = try session.create(
                    ["service": "interrupted", "username": account], label: "label \(account)",
                    secret: Secret(Data("secret \(account)".utf8)), in: collection)
            }

            /// Writes the secret of an item. Returns whether the item exists.
            func write(_ secret: String, to account: String) throws -> Bool {
                let hits = try session.search([["service": "interrupted", "username": account]])
                guard let path = hits.unlocked.first else { return false }
                try session.setSecret(Secret(Data(secret.utf8)), of: path)
                return true
            }

            func lock() throws {
                _ = try session.call("Service", "Lock", .tuple(.objectPaths([collection])))
            }

            /// Unlocks without a prompt, like the login manager.
            func unlock() throws {
                let password = try session.encoded(Secret(Data("test".utf8)))
                _ = try session.call(
                    "org.gnome.keyring.InternalUnsupportedGuiltRiddenInterface", "UnlockWithMasterPassword",
                    .tuple(.objectPath(collection), password))
            }
        }

        /// Makes an event happen before one of a store's calls on the bus.
        private final class Interruption: Sendable {
            private let state = Mutex<(left: Int, isArmed: Bool)>((0, false))
            private let action: @Sendable (Int) -> Void

            /// - Parameter action: Called with the number of calls since the chosen one.
            init(_ action: @escaping @Sendable (Int) -> Void) {
                self.action = action
            }

            func arm(at call: Int) { state.withLock { $0 = (call, true) } }

            /// Whether the chosen call was made.
            func disarm() -> Bool {
                state.withLock { state in
                    state.isArmed = false
                    return state.left < 0
                }
            }

            func note() {
                let count = state.withLock { state -> Int? in
                    guard state.isArmed else { return nil }
                    state.left -= 1
                    return -1 - state.left
                }
                if let count, count >= 0 { action(count) }
            }
        }

        @Test(arguments: Change.allCases, Event.allCases)
        func change_interruptedAnywhere_isMadeWhollyOrNotAtAll(change: Change, event: Event) throws {
            let bus = try PrivateBus()
            let interruption = Interruption { count in
                switch (event, count) {
                case (.lock, 0), (.lockAndUnlock, 0): try? Stranger(bus).lock()
                case (.lockAndUnlock, 2): try? Stranger(bus).unlock()
                case (.kill, 0): try? bus.run("kill")
                case (.killAndRestart, 0): killAndRestart(bus)
                default: break
                }
            }
            let store = interruptedStore(bus, interruption)
            var outcomes: Set<String> = []
            // A restart takes long, so each run tries only half of the calls.
            let step = event == .lock || event == .lockAndUnlock ? 1 : 2
            for call in stride(from: Int.random(in: 0..<step), to: 60, by: step) {
                try arrange(change, bus)
                let before = try contents(bus)
                // The session is open and the cache of items is empty, so the counted calls are those of the change
                // alone.
                _ = try store.status()
                interruption.arm(at: call)
                let failure = code { try change.make(store) }
                guard interruption.disarm() else {
                    #expect(failure == nil)
                    break
                }
                if event == .kill { try bus.run("restart", "unlocked") } else { try Stranger(bus).unlock() }
                // The store that failed restores what it could not restore while the service was away.
                _ = try store.secret(.password("interrupted", "0"))
                let after = try contents(bus)
                outcomes.insert(failure == nil ? "done" : "failed")
                if failure == nil {
                    expectMade(change, after, "call \(call)")
                } else {
                    #expect(after == before, "call \(call), \(failure?.name ?? "")")
                }
            }
            #expect(!outcomes.isEmpty)
            if event == .lock { #expect(outcomes.contains("failed")) }
        }

        private func killAndRestart(_ bus: PrivateBus) {
            #expect(throws: Never.self) {
                try bus.run("kill")
                try bus.run("restart", "unlocked")
            }
        }

        private func arrange(_ change: Change, _ bus: PrivateBus) throws {
            let store = bus.store()
            _ = try store.delete(matching: .password("interrupted"), interaction: .forbidden)
            for number in 0..<3 {
                if change.isOfOthers && number > 0 {
                    try Stranger(bus).add("\(number)")
                } else {
                    let secret = (number == 0 ? "\\" : "") + "secret \(number)"
                    try store.insert(
                        .password("interrupted", "\(number)", secret, more: [.comment: .string("old")]),
                        interaction: .forbidden)
                }
            }
        }

        /// The items, as a new program sees them. The service sets the dates of another program's item.
        private func contents(_ bus: PrivateBus) throws -> [String] {
            try bus.store().all(.password("interrupted")).map { record in
                let isOther = record.attributes[.comment] == nil && record.attributes[.generic] == nil
                let attributes = record.attributes.filter {
                    !isOther || $0.key != .creationDate && $0.key != .modificationDate
                }
                let texts = attributes.map { "\($0.key.code)=\($0.value.matchKey.bytes)" }.sorted()
                return "\(isOther ? "" : "\(record.reference.uuid) ")\(record.text ?? "none") \(texts)"
            }.sorted()
        }

        private func expectMade(_ change: Change, _ after: [String], _ comment: Comment) {
            switch change {
            case .insert:
                #expect(after.count == 4, comment)
                #expect(after.filter { $0.contains("new [") }.count == 1, comment)
            case .updateOfThree, .updateOfOthers:
                #expect(after.count == 3, comment)
                #expect(after.allSatisfy { $0.contains(" changed [") }, comment)
            case .deleteOfThree, .deleteOfOthers: #expect(after == [], comment)
            }
        }

        // MARK: Others that write meanwhile

        /// For a change that is undone later, because it could not be undone at once.
        @Test(arguments: [Change.updateOfThree, .updateOfOthers])
        func undo_leavesWhatAnotherProgramHasWrittenSince(change: Change) throws {
            let bus = try PrivateBus()
            let interruption = Interruption { count in if count == 0 { try? Stranger(bus).lock() } }
            let store = interruptedStore(bus, interruption)
            for call in 0..<60 {
                try arrange(change, bus)
                let before = try contents(bus)
                _ = try store.status()
                interruption.arm(at: call)
                let failure = code { try change.make(store) }
                guard interruption.disarm() else { break }
                try Stranger(bus).unlock()
                guard failure != nil else { continue }
                #expect(try Stranger(bus).write("theirs", to: "1"))
                _ = try store.secret(.password("interrupted", "0"))
                let expected = before.map { $0.replacingOccurrences(of: "secret 1 ", with: "theirs ") }
                #expect(try contents(bus) == expected.sorted(), "call \(call)")
            }
        }

        /// The service dies once, another program writes, and then the collection is locked. If the change fails, the
        /// other program's values are still there.
        @Test(arguments: [Change.updateOfThree, .updateOfOthers, .deleteOfThree, .deleteOfOthers])
        func undo_bringsBackWhatAnotherProgramWroteMeanwhile(change: Change) throws {
            let bus = try PrivateBus()
            var random = SeededGenerator()
            let lockAt = Shared(0), isWritten = Shared(false)
            let interruption = Interruption { count in
                if count == 0 {
                    killAndRestart(bus)
                    let hasWritten = try? Stranger(bus).write("theirs", to: "1")
                    isWritten.change { $0 = hasWritten ?? false }
                } else if count == lockAt.value {
                    try? Stranger(bus).lock()
                }
            }
            let store = interruptedStore(bus, interruption)
            for call in 0..<60 {
                try arrange(change, bus)
                let before = try contents(bus)
                _ = try store.status()
                isWritten.change { $0 = false }
                lockAt.change { $0 = Int.random(in: 1...14, using: &random) }
                interruption.arm(at: call)
                let failure = code { try change.make(store) }
                guard interruption.disarm() else { break }
                try Stranger(bus).unlock()
                _ = try store.secret(.password("interrupted", "0"))
                guard failure != nil else { continue }
                let theirs = isWritten.value ? "theirs " : "secret 1 "
                let expected = before.map { $0.replacingOccurrences(of: "secret 1 ", with: theirs) }
                let now = try contents(bus)
                #expect(now == expected.sorted(), "call \(call), locked \(lockAt.value) later")
            }
        }

        private func interruptedStore(_ bus: PrivateBus, _ interruption: Interruption) -> LibsecretStore {
            var configuration = LibsecretStore.Configuration(environment: bus.environment)
            configuration.canPrompt = false
            configuration.beforeCall = { _ in interruption.note() }
            return LibsecretStore(configuration: configuration)
        }

        @Test func itemsMadeAgain_areInTheirOwnCollection() throws {
            let bus = try PrivateBus()
            let service = "org.freedesktop.secrets"
            try bus.store().insert(.password("other", "elsewhere"), interaction: .forbidden)
            let interruption = Interruption { count in if count == 0 { try? Stranger(bus).lock() } }
            var configuration = LibsecretStore.Configuration(environment: bus.environment)
            configuration.beforeCall = { if $0 == "Delete" { interruption.note() } }
            configuration.canPrompt = false
            let store = LibsecretStore(configuration: configuration)
            for number in 0..<3 {
                try store.insert(.password("collections", "\(number)"), interaction: .forbidden)
            }
            let root = "/org/freedesktop/secrets"
            interruption.arm(at: 2)
            #expect(
                code { _ = try store.delete(matching: .password("collections"), interaction: .forbidden) } == .locked)
            #expect(interruption.disarm())
            try Stranger(bus).unlock()
            // Another collection is now the default one. Restored items must not be made there.
            try bus.tool(
                "gdbus", "call", "--session", "-d", service, "-o", root, "-m",
                "org.freedesktop.Secret.Service.SetAlias",
                "default", root + "/collection/session")
            #expect(try store.all(.password("collections")).count == 3)
            let items = try bus.tool(
                "gdbus", "call", "--session", "-d", service, "-o", root + "/collection/login", "-m",
                "org.freedesktop.DBus.Properties.Get", "org.freedesktop.Secret.Collection", "Items")
            #expect(items.components(separatedBy: "/collection/login/").count - 1 == 4, "\(items)")
        }
    }
}

import Foundation
import SecItemGnome
import SecItemStore
import Synchronization
import TestSupport
import Testing

extension OnARealService {
    /// Whatever happens to the service before any of the calls that a change makes: afterwards either everything is as
    /// before and an error was answered, or everything was done.
    @Suite(.serialized, .enabled(if: PrivateBus.isGnomeKeyring, "only gnome-keyring can be told to"))
    struct InterruptionTests {
        /// What happens to the service.
        enum Event: String, CaseIterable, CustomTestStringConvertible {
            case lock, lockAndUnlock, kill, killAndRestart
            var testDescription: String { rawValue }
        }

        /// What it happens to.
        enum Change: String, CaseIterable, CustomTestStringConvertible {
            case insert, updateOfThree, deleteOfThree, deleteOfOthers
            var testDescription: String { rawValue }

            func make(_ store: LibsecretStore) throws {
                let filter = RecordFilter.password("interrupted")
                switch self {
                case .insert: try store.insert(.password("interrupted", "new", "new"), interaction: .forbidden)
                case .updateOfThree:
                    let changes = RecordChanges(
                        attributes: [.comment: .string("changed"), .label: .string("changed")],
                        secrets: [.valueData: Secret(Data("changed".utf8))])
                    _ = try store.update(matching: filter, applying: changes, interaction: .forbidden)
                case .deleteOfThree, .deleteOfOthers:
                    _ = try store.delete(matching: filter, interaction: .forbidden)
                }
            }
        }

        /// Has something happen before one of a store's calls on the bus.
        private final class Interruption: Sendable {
            private let state = Mutex<(left: Int, isArmed: Bool)>((0, false))
            private let action: @Sendable (Int) -> Void

            /// - Parameter action: Called with the number of calls since the one meant.
            init(_ action: @escaping @Sendable (Int) -> Void) {
                self.action = action
            }

            func arm(at call: Int) { state.withLock { $0 = (call, true) } }

            /// Whether the call that was meant was made.
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
                case (.lock, 0), (.lockAndUnlock, 0): try? bus.run("lock")
                case (.lockAndUnlock, 2): try? bus.run("unlock")
                case (.kill, 0): try? bus.run("kill")
                case (.killAndRestart, 0):
                    try? bus.run("kill")
                    try? bus.run("restart", "unlocked")
                default: break
                }
            }
            var configuration = LibsecretStore.Configuration(environment: bus.environment)
            configuration.canPrompt = false
            configuration.beforeCall = { _ in interruption.note() }
            let store = LibsecretStore(configuration: configuration)
            var outcomes: Set<String> = []
            for call in 0..<60 {
                try arrange(change, bus)
                let before = try contents(bus)
                // The session is opened now, and the memory of items emptied: the calls are those of the change alone.
                _ = try store.status()
                interruption.arm(at: call)
                let failure = code { try change.make(store) }
                guard interruption.disarm() else {
                    #expect(failure == nil)
                    break
                }
                if event == .kill { try bus.run("restart", "unlocked") } else { try bus.run("unlock") }
                // The store that failed sets right what it could not while the service was away.
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

        private func arrange(_ change: Change, _ bus: PrivateBus) throws {
            let store = bus.store()
            _ = try store.delete(matching: .password("interrupted"), interaction: .forbidden)
            for number in 0..<3 {
                if change == .deleteOfOthers && number > 0 {
                    let tool = [
                        "/usr/bin/env", "secret-tool", "store", "--label", "label \(number)", "service", "interrupted",
                        "username", "\(number)",
                    ]
                    let result = try bus.execute(tool, input: "secret \(number)")
                    try #require(result.status == 0, "\(result)")
                } else {
                    try store.insert(
                        .password("interrupted", "\(number)", "secret \(number)", more: [.comment: .string("old")]),
                        interaction: .forbidden)
                }
            }
        }

        /// What is there, as a new program sees it. The dates of another program's item are the service's.
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
            case .updateOfThree:
                #expect(after.count == 3, comment)
                #expect(after.allSatisfy { $0.contains(" changed [") }, comment)
            case .deleteOfThree, .deleteOfOthers: #expect(after == [], comment)
            }
        }

        @Test func itemsMadeAgain_areInTheirOwnCollection() throws {
            let bus = try PrivateBus()
            let service = "org.freedesktop.secrets"
            try bus.store().insert(.password("other", "elsewhere"), interaction: .forbidden)
            let interruption = Interruption { count in if count == 0 { try? bus.run("lock") } }
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
            try bus.run("unlock")
            // Another collection is the default one from now on: what is made again must not go there.
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

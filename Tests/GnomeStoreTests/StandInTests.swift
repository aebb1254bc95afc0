// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore
import TestSupport
import Testing

@testable import SecItemGnome

extension OnARealService {
    /// Behaviour that no real service shows: wrong answers, silence, and sessions without encryption. The tests use no
    /// real service, so one run with any of them is enough.
    @Suite(
        .serialized, .timeLimit(.minutes(60)),
        .enabled(if: PrivateBus.isGnomeKeyring, "the same with every service: run with gnome-keyring"))
    struct StandInTests {
        /// The stand-in on a separate bus.
        private final class StandIn: Sendable {
            let bus: PrivateBus
            private let program: RunningProgram

            init() throws {
                bus = try PrivateBus(.bus)
                let script = PrivateBus.scripts + "/stand-in-service"
                program = try Program(
                    "/usr/bin/python3", [script, bus.folder], environment: bus.environment, timeLimit: 600
                ).start()
                try Program(
                    "gdbus", ["wait", "--session", "--timeout", "120", "org.freedesktop.secrets"],
                    environment: bus.environment
                ).output()
            }

            /// Changes how it answers a method.
            func tell(_ lines: String...) throws {
                let text = lines.map { $0 + "\n" }.joined()
                try Data(text.utf8).write(to: URL(fileURLWithPath: bus.folder + "/answers"), options: .atomic)
            }

            var calls: [String] {
                let text = (try? String(contentsOfFile: bus.folder + "/calls", encoding: .utf8)) ?? ""
                return text.split(separator: "\n").map(String.init)
            }

            func store(allowsPlain: Bool = true, canPrompt: Bool = false, limit: Double = 30) -> LibsecretStore {
                var configuration = LibsecretStore.Configuration(environment: bus.environment)
                configuration.allowsPlainSession = allowsPlain
                configuration.canPrompt = canPrompt
                configuration.callTimeLimit = limit
                configuration.promptTimeLimit = limit
                return LibsecretStore(configuration: configuration)
            }
        }

        private static let filter = RecordFilter(
            itemClass: .genericPassword, attributes: [.service: .string("service")],
            accessGroups: ["org.example.tests"])

        @Test func usualAnswers_giveTheItem() throws {
            let standIn = try StandIn()
            #expect(try standIn.store().secret(Self.filter) == "gut")
        }

        /// gnome-keyring can end at an `OpenSession` that arrives before it has answered another call.
        @Test func session_isOpenedAfterTheFirstAnswer() throws {
            let standIn = try StandIn()
            try standIn.tell("Get silence")
            #expect(code { _ = try standIn.store(limit: 5).secret(Self.filter) } != nil)
            #expect(standIn.calls.contains("Get") && !standIn.calls.contains("OpenSession"), "\(standIn.calls)")
        }

        // MARK: Plain sessions

        @Test func plainSession_isRefusedUnlessAllowed() throws {
            let standIn = try StandIn()
            let store = standIn.store(allowsPlain: false)
            #expect(code { _ = try store.secret(Self.filter) } == .unavailable)
            #expect(code { try store.insert(.password("a", "b"), interaction: .forbidden) } == .unavailable)
            #expect(store.summary.contains("SECITEM_ALLOW_PLAIN_SESSION"))
            // No secret was requested or sent.
            #expect(!standIn.calls.contains("GetSecrets") && !standIn.calls.contains("CreateItem"))
            var environment = standIn.bus.environment
            environment["SECITEM_ALLOW_PLAIN_SESSION"] = "1"
            let allowed = LibsecretStore(configuration: .init(environment: environment))
            #expect(try allowed.secret(Self.filter) == "gut")
        }

        // MARK: Malformed answers

        private static let values = [
            "()", "(1,)", "(uint32 7,)", "('text',)", "(true,)", "(@ao [],)", "([1, 2, 3],)", "(<'boxed'>,)",
            "(<<1>>,)",
            "(<@a{ss} {}>,)", "(<@as []>,)", "(objectpath '/',)", "(objectpath '/', 1)", "(1, 2, 3, 4)",
            "(@ao [], 'text')", "([objectpath '/org/freedesktop/secrets/collection/one/1'],)",
            "(@a{o(oayays)} {},)", "({objectpath '/a': (objectpath '/b', @ay [], @ay [], '')},)",
            "({objectpath '/a': ('b', 'c')},)", "(@a{sv} {},)", "({'Attributes': <'text'>},)",
            "({'Attributes': <{'a': 'b'}>, 'Label': <1>, 'Created': <'never'>},)", "(<@ay []>, objectpath '/a')",
            "(<1>, objectpath '/a')", "(<b'1'>, objectpath '/a')", "(objectpath '/nowhere', objectpath '/nowhere')",
            "([objectpath '/nowhere'], [objectpath '/elsewhere'])", "(@ao [], objectpath '/nowhere')",
            "('', '', '')", "(nan,)", "(handle 3,)",
        ]

        private static let methods = [
            "OpenSession", "SearchItems", "GetSecrets", "ReadAlias", "CreateItem", "Delete", "Unlock", "Get", "GetAll",
            "Set", "SetSecret", "Prompt",
        ]

        /// Each method gives each of these answers. Every call ends with a status, and the next look-up gets a good
        /// answer.
        @Test(arguments: methods)
        func malformedAnswer_isAStatus(method: String) throws {
            let standIn = try StandIn()
            for value in Self.values {
                try standIn.tell("\(method) \(value)")
                let store = standIn.store()
                _ = try? store.all(Self.filter)
                _ = try? store.secret(Self.filter)
                _ = try? store.insert(.password("service", "berta"), interaction: .forbidden)
                _ = try? store.update(matching: Self.filter, applying: .secret("x"), interaction: .forbidden)
                _ = try? store.delete(matching: Self.filter, interaction: .forbidden)
                _ = store.summary
            }
            try standIn.tell()
            #expect(try standIn.store().secret(Self.filter) == "gut")
        }

        @Test func wrongTypeOfAnAnswer_isAnError() throws {
            let standIn = try StandIn()
            for (method, value) in [
                ("SearchItems", "(@ao [],)"), ("GetSecrets", "(@ao [],)"), ("Get", "(<'text'>,)"), ("Get", "()"),
                ("SearchItems", "()"),
            ] {
                try standIn.tell("\(method) \(value)")
                let store = standIn.store()
                #expect(code { _ = try store.secret(Self.filter) } == .io, "\(method) \(value)")
            }
        }

        @Test func secretOfAnotherItem_isNotTakenForOne() throws {
            let standIn = try StandIn()
            let root = "/org/freedesktop/secrets"
            let secret = "(objectpath '\(root)/session/1', @ay [], @ay [120], 'text/plain')"
            try standIn.tell("GetSecrets ({objectpath '\(root)/collection/one/2': \(secret)},)")
            #expect(try standIn.store().secret(Self.filter) == nil)
        }

        // MARK: Nothing deleted that was not meant

        /// The service ignores the query and finds its one item, whatever the id is.
        @Test func insert_whoseServiceWasLost_deletesNothingOfAnotherId() throws {
            let standIn = try StandIn()
            let prompt = "/org/freedesktop/secrets/prompt/1"
            try standIn.tell(
                "CreateItem (objectpath '/', objectpath '\(prompt)')", "SearchItems (@ao [], @ao [])",
                "Completed false <objectpath '/'>")
            let calls = Shared(0)
            var configuration = LibsecretStore.Configuration(environment: standIn.bus.environment)
            configuration.allowsPlainSession = true
            configuration.canPrompt = true
            configuration.callTimeLimit = 30
            configuration.promptTimeLimit = 3
            configuration.beforeCall = { method in
                guard method == "Prompt" else { return }
                calls.change { $0 += 1 }
                // The prompt takes longer than the store holds the lock. Afterwards, the store checks its item.
                try? standIn.tell(
                    "CreateItem (objectpath '/org/freedesktop/secrets/collection/one/9', objectpath '/')")
            }
            let store = LibsecretStore(configuration: configuration)
            _ = try? store.insert(.password("another", "berta"), interaction: .allowed)
            #expect(calls.value == 1)
            #expect(!standIn.calls.contains("Delete"))
        }

        // MARK: Silence

        @Test(arguments: methods)
        func silence_endsInTime(method: String) throws {
            let standIn = try StandIn()
            try standIn.tell("\(method) silence")
            let store = standIn.store(limit: 0.3)
            _ = try? store.secret(Self.filter)
            _ = try? store.insert(.password("service", "berta"), interaction: .forbidden)
            _ = try? store.update(matching: Self.filter, applying: .secret("x"), interaction: .forbidden)
            _ = try? store.delete(matching: Self.filter, interaction: .forbidden)
        }

        /// If the service is unknown, its prompt may be a question for a person.
        @Test(arguments: [(true, Interaction.forbidden), (false, .allowed), (false, .forbidden)])
        func prompt_whereNobodyMayBeAsked_isNotAsked(_ canPrompt: Bool, _ interaction: Interaction) throws {
            let standIn = try StandIn()
            try standIn.tell("Delete prompt", "Completed false <objectpath '/'>")
            let store = standIn.store(canPrompt: canPrompt)
            #expect(code { _ = try store.delete(matching: Self.filter, interaction: interaction) } == .locked)
            try standIn.tell(
                "CreateItem prompt", "SearchItems (@ao [], @ao [])", "Completed false <objectpath '/'>")
            #expect(code { try store.insert(.password("new", "berta"), interaction: interaction) } == .locked)
            #expect(standIn.calls.contains("CreateItem") && !standIn.calls.contains("Prompt"))
        }

        @Test func promptThatNobodyAnswers_isNotWaitedForByOthers() throws {
            let standIn = try StandIn()
            try standIn.tell("CreateItem prompt", "SearchItems (@ao [], @ao [])")
            let asking = standIn.store(canPrompt: true, limit: 10)
            let isOver = Shared(false)
            let person = Worker {
                _ = try? asking.insert(.password("asked", "anna"), interaction: .allowed)
                isOver.change { $0 = true }
            }
            while !standIn.calls.contains("Prompt") { usleep(5000) }
            try standIn.tell("SearchItems (@ao [], @ao [])")
            // Other programs can write while the person is asked.
            try standIn.store(limit: 20).insert(.password("other", "berta"), interaction: .forbidden)
            #expect(!isOver.value)
            person.join()
        }

        // MARK: A bus that breaks the rules

        @Test(arguments: [
            "mute", "deaf", "gone", "text", "path", "length", "huge", "signature", "nonsense", "other",
        ])
        func bus_breaksTheRules_isAStatus(manner: String) throws {
            let folder = try TemporaryFolder()
            let socket = folder.path + "/bus"
            let program = try Program(
                "/usr/bin/python3", [PrivateBus.scripts + "/stand-in-bus", socket, manner]
            ).start()
            try program.waitFor(line: "ready")
            let environment = ["DBUS_SESSION_BUS_ADDRESS": "unix:path=\(socket)", "XDG_RUNTIME_DIR": folder.path]
            var configuration = LibsecretStore.Configuration(environment: environment)
            configuration.callTimeLimit = 0.5
            let store = LibsecretStore(configuration: configuration)
            #expect(code { _ = try store.secret(Self.filter) } != nil)
            #expect(code { try store.insert(.password("a", "b"), interaction: .forbidden) } != nil)
            #expect(code { _ = try store.delete(matching: Self.filter, interaction: .forbidden) } != nil)
            #expect(!LibsecretStore.isServiceAvailable(configuration: configuration))
        }
    }
}

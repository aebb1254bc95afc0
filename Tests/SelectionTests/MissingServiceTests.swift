// SPDX-License-Identifier: Apache-2.0

#if Gnome || Desktop
    import Foundation
    import SecItemStore
    import TestSupport
    import Testing

    @testable import SecItemSelection
    @testable import SecItemShim

    /// The reason of a failed call says why no Secret Service answers, why the program needs one, and what to do.
    @Suite struct MissingServiceTests {
        private static let identifier = "org.example.missing"
        private let folder: TemporaryFolder

        init() throws {
            folder = try TemporaryFolder()
        }

        /// Why the store is the Secret Service.
        enum Reason: CaseIterable {
            case application, setting, items

            var text: String {
                switch self {
                case .application: "The application asked for it: start a session with a bus"
                case .setting: "SECITEM_STORE asks for it: start a session with a bus"
                case .items: "\"\(identifier)\" has items there: start a session with a bus"
                }
            }
        }

        private func environment(bus: String?) -> [String: String] {
            var environment = ["HOME": folder.path, "XDG_RUNTIME_DIR": folder.path]
            environment["DBUS_SESSION_BUS_ADDRESS"] = bus
            return environment
        }

        private func choose(_ environment: [String: String], _ reason: Reason? = nil) throws -> any KeychainStore {
            var environment = environment
            switch reason {
            case .setting: environment["SECITEM_STORE"] = "secret-service"
            case .items:
                let file = PlaceFile(environment: environment, identifier: Self.identifier)
                _ = try file.write(.secretService) { _ in true }
            case .application, nil: break
            }
            return try StoreSelection(
                environment: environment, application: ClientApplication(identifier: Self.identifier), sandbox: nil
            ).choose(reason == .application ? .secretService : .automatic).store
        }

        /// The reason why a look-up fails.
        private func message(_ store: any KeychainStore) -> String {
            let filter = RecordFilter(
                itemClass: .genericPassword, attributes: [.account: .string("confidential")],
                accessGroups: [Self.identifier])
            do throws(StoreError) {
                _ = try store.records(matching: filter, parts: .attributes, limit: 1, interaction: .forbidden)
                return "no failure"
            } catch {
                #expect(error.code == .unavailable)
                #expect(!error.message.contains("confidential"))
                return error.message
            }
        }

        @Test(arguments: Reason.allCases) func withoutABus_saysSo_andWhatToDo(_ reason: Reason) throws {
            for (bus, cause) in [
                (nil, "there is no session bus"), ("unix:path=\(folder.path)/none", "No such file or directory"),
                ("tcp:host=localhost", "does not begin with"),
            ] {
                let message = message(try choose(environment(bus: bus), reason))
                #expect(message.contains(cause) && message.contains(reason.text), "\(message)")
                let names = message.contains("SECITEM_STORE=embedded for an empty keychain")
                #expect(names == (reason == .items), "\(message)")
            }
        }

        /// The log has it once, at error level, without a setting for the log.
        @Test func withoutABus_isLoggedOnce() throws {
            let variables = environment(bus: nil).merging(["SECITEM_STORE": "secret-service"]) { $1 }
            let probe = try Probe("find-and-add-later", "one", environment: variables)
            #expect(probe.lines == ["-25291", "-25291"], "\(probe.lines)")
            #expect(probe.errors.components(separatedBy: "there is no session bus").count == 2, "\(probe.errors)")
        }

        @Test(.enabled(if: PrivateBus.shared != nil, Comment(rawValue: PrivateBus.reason)), arguments: Reason.allCases)
        func busWithoutAService_isNamed(_ reason: Reason) throws {
            let bus = try PrivateBus(.bus)
            let address = bus.variables["DBUS_SESSION_BUS_ADDRESS"]
            let message = message(try choose(environment(bus: address), reason))
            #expect(message.contains("no program on the bus provides it"), "\(message)")
            #expect(message.contains(reason.text), "\(message)")
        }

        /// The bus ends while the program runs. It is not known whether the application has items there.
        @Test(.enabled(if: PrivateBus.isGnomeKeyring, "only gnome-keyring is started for a test"))
        func busThatEnds_isNamed() throws {
            let bus = try PrivateBus()
            let store = try choose(environment(bus: bus.variables["DBUS_SESSION_BUS_ADDRESS"]))
            #expect(message(store) == "no failure")
            bus.stop()
            let message = message(store)
            #expect(message.contains("no message bus"), "\(message)")
            #expect(message.contains("It answered on the session bus when it was chosen: start"), "\(message)")
        }
    }
#endif

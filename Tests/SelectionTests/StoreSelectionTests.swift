// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemSQLite
import SecItemSealing
import SecItemStore
import TestSupport
import Testing

@testable import SecItemSelection
@testable import SecItemShim

/// All conditions on which the choice of a store depends, in every combination.
struct Circumstances: Sendable, CustomTestStringConvertible {
    enum Variable: Sendable, CaseIterable { case absent, empty, set }
    enum Existing: Sendable, CaseIterable { case none, ofOthers, withItems, locked, broken }
    enum Mark: Sendable, CaseIterable { case none, secretService, embedded, unfinished }

    var store: String?
    var directory: Variable
    var passphraseFile: Variable
    var existing: Existing
    var mark: Mark
    var isTestRun: Bool
    var hasService: Bool

    var testDescription: String { "\(self)" }

    static func all(hasService: Bool) -> [Circumstances] {
        var all: [Circumstances] = []
        for store in [nil, "", "automatic", "embedded", "secret-service", "memory", "Memory", "gnome"] {
            for directory in Variable.allCases {
                for passphraseFile in Variable.allCases {
                    for existing in Existing.allCases {
                        for mark in Mark.allCases {
                            for isTestRun in [false, true] {
                                all.append(
                                    Circumstances(
                                        store: store, directory: directory, passphraseFile: passphraseFile,
                                        existing: existing, mark: mark, isTestRun: isTestRun, hasService: hasService))
                            }
                        }
                    }
                }
            }
        }
        return all
    }

    /// Whether the combination can be tried without deriving a key from a passphrase, which takes a second. A few of
    /// the others are tried too.
    var isCheap: Bool {
        passphraseFile != .set || store == nil && directory == .empty && mark == .secretService && !isTestRun
    }

    /// The chosen store, or the status of every call.
    enum Choice: Equatable {
        case memory, service, user, directory
        case status(OSStatus)
    }

    /// The rules, in the order of the README.
    var expected: Choice {
        switch store {
        case "memory": return .memory
        case "secret-service": return .service
        case "embedded": return embedded
        case nil, "", "automatic": break
        default: return .status(errSecNotAvailable)
        }
        if directory == .set || passphraseFile == .set { return embedded }
        if isTestRun && store != "automatic" { return .memory }
        if mark == .secretService { return .service }
        switch existing {
        case .withItems, .locked: return .user
        case .broken: return .status(errSecDecode)
        // The record may be all that tells of items in a group that is not searched.
        case .ofOthers where mark == .embedded: return .user
        case .none, .ofOthers: return hasService ? .service : .user
        }
    }

    private var embedded: Choice {
        if directory == .set { return .directory }
        return existing == .broken ? .status(errSecDecode) : .user
    }
}

#if Gnome || Desktop
    @Suite(.timeLimit(.minutes(60))) struct StoreSelectionTests {
        private static let identifier = "org.example.selection"

        /// A home folder with this content.
        private struct Home {
            let folder: TemporaryFolder
            var environment: [String: String]

            init(_ circumstances: Circumstances, bus: PrivateBus?) throws {
                folder = try TemporaryFolder(in: "/dev/shm")
                environment = [
                    "HOME": folder.path, "DBUS_SESSION_BUS_ADDRESS": "unix:path=\(folder.path)/no-bus",
                    "XDG_RUNTIME_DIR": folder.path,
                ]
                if let bus { environment["DBUS_SESSION_BUS_ADDRESS"] = bus.variables["DBUS_SESSION_BUS_ADDRESS"] }
                environment["SECITEM_STORE"] = circumstances.store
                set("SECITEM_DIRECTORY", circumstances.directory, folder.path + "/directory")
                set("SECITEM_PASSPHRASE_FILE", circumstances.passphraseFile, folder.path + "/passphrase")
                try "passphrase".write(toFile: folder.path + "/passphrase", atomically: true, encoding: .utf8)
                try #require(chmod(folder.path + "/passphrase", 0o600) == 0)
                try makeMark(circumstances.mark)
                try makeStore(circumstances)
            }

            private mutating func set(_ name: String, _ variable: Circumstances.Variable, _ value: String) {
                switch variable {
                case .absent: break
                case .empty: environment[name] = ""
                case .set: environment[name] = value
                }
            }

            private func makeMark(_ mark: Circumstances.Mark) throws {
                guard mark != .none else { return }
                let file = PlaceFile(environment: environment, identifier: identifier)
                let place = mark == .secretService ? ItemPlace.secretService : .embedded(folder: location.folder)
                _ = try file.write(place) { _ in true }
                if mark == .unfinished { truncate(try file.path, 3) }
            }

            var location: StoreLocation { StoreLocation(folder: folder.path + "/.local/share/secitem") }

            private func makeStore(_ circumstances: Circumstances) throws {
                let existing = circumstances.existing
                if existing == .none { return }
                // A configured passphrase must be that of the store.
                let hasPassphrase = existing == .locked || circumstances.passphraseFile == .set
                let source = PassphraseSource.closure { Secret(Data("passphrase".utf8)) }
                let protector: any RootKeyProtector =
                    hasPassphrase ? PassphraseProtector(sources: [source], cost: .lowest) : KeyFileProtector()
                let store = try SQLiteStore(location: location, protector: protector, cache: .none)
                let group = existing == .ofOthers ? "another" : identifier
                let record = ItemRecord(
                    reference: PersistentReference(itemClass: .internetPassword),
                    attributes: [
                        .accessGroup: .string(group), .accessible: .string(Accessible.whenUnlocked.rawValue),
                        .synchronizable: .integer(0), .tombstone: .integer(0), .multiUser: .data(Data()),
                        .creationDate: .date(Date()), .modificationDate: .date(Date()),
                    ], secrets: [.valueData: Secret(Data("secret".utf8))])
                try store.insert(record, interaction: .allowed)
                if existing == .broken { try FileManager.default.removeItem(atPath: location.folder + "/device.key") }
            }

            func choose(_ circumstances: Circumstances) -> (Circumstances.Choice, ChosenStore?) {
                var selection = StoreSelection(
                    environment: environment, application: ClientApplication(identifier: identifier), sandbox: nil)
                selection.isTestRun = circumstances.isTestRun
                do throws(KeychainError) {
                    let chosen = try selection.choose(.automatic)
                    switch chosen.place {
                    case nil where chosen.store is InMemoryStore: return (.memory, chosen)
                    case "secret-service": return (.service, chosen)
                    case location.folder: return (.user, chosen)
                    case folder.path + "/directory": return (.directory, chosen)
                    default: return (.status(errSecInternalComponent), chosen)
                    }
                } catch {
                    return (.status(error.status), nil)
                }
            }
        }

        @Test(arguments: Circumstances.Existing.allCases)
        func everyCircumstance_withoutAService_givesTheStoreOfTheRules(_ existing: Circumstances.Existing) throws {
            for circumstances in Circumstances.all(hasService: false)
            where circumstances.existing == existing && circumstances.isCheap {
                let (choice, chosen) = try Home(circumstances, bus: nil).choose(circumstances)
                #expect(choice == circumstances.expected, "\(circumstances)")
                #expect(chosen?.reason != "", "\(circumstances)")
                // If no service was found, the reason says so, whether or not a store exists.
                if choice == .user, [nil, "", "automatic"].contains(circumstances.store),
                    circumstances.passphraseFile != .set,
                    circumstances.existing == .none
                        || circumstances.existing == .ofOthers && circumstances.mark != .embedded
                {
                    #expect(chosen?.reason.contains("Secret Service") == true, "\(circumstances)")
                }
            }
        }

        @Test(.enabled(if: PrivateBus.shared != nil, Comment(rawValue: PrivateBus.reason)))
        func everyCircumstance_withAService_givesTheStoreOfTheRules() throws {
            let all = Circumstances.all(hasService: true).filter {
                [nil, "automatic"].contains($0.store) && $0.passphraseFile == .absent && !$0.isTestRun
            }
            for circumstances in all {
                let (choice, _) = try Home(circumstances, bus: PrivateBus.shared).choose(circumstances)
                #expect(choice == circumstances.expected, "\(circumstances)")
            }
        }

        /// The law: items that were stored in one situation are found in the next, or the call says why not.
        @Test func itemsThatWereStored_areFound_orTheCallSaysWhyNot() throws {
            let all = Circumstances.all(hasService: false).filter { $0.passphraseFile != .set }
            // Every thirteenth combination. These combine each value of each condition with most other values.
            for circumstances in stride(from: 0, to: all.count, by: 13).map({ all[$0] }) {
                let home = try Home(circumstances, bus: nil)
                guard case (_, let first?) = home.choose(circumstances), !(first.store is InMemoryStore) else {
                    continue
                }
                let application = ClientApplication(identifier: Self.identifier)
                let add =
                    [kSecClass: kSecClassGenericPassword, kSecValueData: Data("one".utf8)] as CFDictionary
                let status = KeychainCalls(store: first.store, application: application).add(add, nil)
                let (_, second) = home.choose(circumstances)
                guard let second else { continue }
                let found = KeychainCalls(store: second.store, application: application)
                    .copyMatching([kSecClass: kSecClassGenericPassword] as CFDictionary, nil)
                #expect(found != errSecItemNotFound || status != errSecSuccess, "\(circumstances)")
            }
        }

        /// A service that was found and not asked for gets no item that the next start would not look for there.
        @Test(
            .enabled(if: PrivateBus.shared != nil, Comment(rawValue: PrivateBus.reason)),
            arguments: [nil, "automatic", "secret-service"])
        func serviceThatWasFound_getsNoItemWithoutAMark(_ store: String?) throws {
            let circumstances = Circumstances(
                store: store, directory: .absent, passphraseFile: .absent, existing: .none, mark: .none,
                isTestRun: false, hasService: true)
            let home = try Home(circumstances, bus: PrivateBus.shared)
            // No mark can be made below a file.
            let local = home.folder.path + "/.local"
            try FileManager.default.createDirectory(atPath: local, withIntermediateDirectories: true)
            try Data().write(to: URL(fileURLWithPath: local + "/state"))
            let chosen = try #require(home.choose(circumstances).1)
            let calls = KeychainCalls(
                store: chosen.store, application: ClientApplication(identifier: "selection." + UUID().uuidString))
            let item = [kSecClass: kSecClassGenericPassword, kSecValueData: Data("one".utf8)] as CFDictionary
            let isAskedFor = store == "secret-service"
            #expect(calls.add(item, nil) == (isAskedFor ? errSecSuccess : errSecNotAvailable))
            let all = [kSecClass: kSecClassGenericPassword] as CFDictionary
            #expect(calls.delete(all) == (isAskedFor ? errSecSuccess : errSecItemNotFound))
        }

        @Test func unknownStore_isNamed() throws {
            do throws(KeychainError) {
                _ = try StoreSelection(
                    environment: ["SECITEM_STORE": "keychain"], application: ClientApplication(identifier: "a"),
                    sandbox: nil
                ).choose(.automatic)
                Issue.record("a store")
            } catch {
                #expect(error.status == errSecNotAvailable)
                #expect(error.message.contains("keychain") && error.message.contains("secret-service"))
            }
        }

        @Test func storeOfTheMachine_isOneForTheProcess() throws {
            let selection = StoreSelection(
                environment: ["SECITEM_STORE": "memory"], application: ClientApplication(identifier: "a"), sandbox: nil)
            let stores = try (0..<2).map { _ in try selection.choose(.automatic).store as? InMemoryStore }
            #expect(stores[0] === stores[1] && stores[0] != nil)
            let own = try (0..<2).map { _ in try selection.choose(.inMemory).store as? InMemoryStore }
            #expect(own[0] !== own[1])
        }
    }
#endif

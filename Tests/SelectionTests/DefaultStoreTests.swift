// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemSQLite
import SecItemStore
import TestSupport
import Testing

@testable import SecItemSelection
@testable import SecItemShim

/// The store of an application that asks for none, and the messages in that case.
@Suite struct DefaultStoreTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func store(_ variables: [String: String] = [:]) -> DefaultStore {
        let environment = ["HOME": folder.path].merging(variables) { $1 }
        return DefaultStore { environment }
    }

    private func probe(_ arguments: String..., adding variables: [String: String] = [:]) throws -> Probe {
        let environment = [
            "HOME": folder.path, "DBUS_SESSION_BUS_ADDRESS": "unix:path=/none",
            "SECITEM_APPLICATION_IDENTIFIER": "probe",
        ]
        if arguments.count == 1 { return try Probe(arguments[0], environment: environment.merging(variables) { $1 }) }
        return try Probe(arguments[0], arguments[1], environment: environment.merging(variables) { $1 })
    }

    // MARK: Tests of users

    @Test func testRun_keepsItemsInMemory_unlessAskedOtherwise() throws {
        let first = store(), second = store()
        let chosen = try first.chosenStore()
        #expect(chosen.store is InMemoryStore && chosen.reason == "this is a run of tests")
        #expect(try second.chosenStore().store as? InMemoryStore === chosen.store as? InMemoryStore)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)

        #expect(try store(["SECITEM_STORE": "embedded"]).chosenStore().store is SQLiteStore)
        #expect(try store(["SECITEM_DIRECTORY": folder.path + "/x"]).chosenStore().place == folder.path + "/x")
        let asked = store()
        asked.use(.embedded(directory: URL(fileURLWithPath: folder.path + "/y")))
        #expect(try asked.chosenStore().place == folder.path + "/y")
    }

    @Test func programThatIsNoTest_keepsItemsOnDisk() throws {
        #expect(try probe("add", "one").lines == ["0"])
        let found = try probe("find", "one")
        #expect(found.lines == ["0"] && found.errors == "", "\(found.errors)")
    }

    // MARK: Synchronizable items

    /// Each item is where its attribute says, and a query for any finds both.
    @Test func synchronizableItems_areInTheStoreForThem() throws {
        let shared = InMemoryStore(), store = store()
        store.use(.synchronizable(in: .custom(shared), others: .inMemory))
        for isSynchronizable in [true, false] {
            let item: [CFString: Any] = [
                kSecClass: kSecClassGenericPassword, kSecAttrAccount: "\(isSynchronizable)",
                kSecAttrSynchronizable: isSynchronizable,
            ]
            #expect(store.calls.add(item as CFDictionary, nil) == errSecSuccess)
        }
        let filter = RecordFilter(itemClass: .genericPassword)
        let found = try shared.records(matching: filter, parts: .attributes, limit: nil, interaction: .forbidden)
        #expect(found.map { $0.attributes[.account]?.string } == ["true"])
        var result: CFTypeRef?
        let query: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword, kSecAttrSynchronizable: kSecAttrSynchronizableAny,
            kSecMatchLimit: kSecMatchLimitAll, kSecReturnAttributes: true,
        ]
        #expect(store.calls.copyMatching(query as CFDictionary, &result) == errSecSuccess)
        #expect((result as? NSArray)?.count == 2)
    }

    /// What cannot be had is an error, and never another place.
    @Test func synchronizableItems_thatHaveNoPlace_areRefused() {
        let query = [kSecClass: kSecClassGenericPassword] as CFDictionary
        let settings = [
            ["SECITEM_SYNCHRONIZABLE": "postgres"], ["SECITEM_SYNCHRONIZABLE": "postgresql"],
        ]
        for setting in settings {
            let store = store(["SECITEM_STORE": "memory"].merging(setting) { $1 })
            #expect(store.calls.copyMatching(query, nil) == errSecNotAvailable, "\(setting)")
        }
        let choices: [LinuxKeychain.Store] = [
            .synchronizable(in: .automatic), .synchronizable(in: .embedded()),
            .synchronizable(in: .custom(InMemoryStore()), others: .automatic(synchronizableIn: .inMemory)),
        ]
        for choice in choices {
            let store = store()
            store.use(choice)
            #expect(store.calls.copyMatching(query, nil) == errSecNotAvailable, "\(choice)")
        }
    }

    // MARK: Threads

    /// Of threads that make the first call at the same moment, one opens the store, and all use it.
    @Test func firstCalls_ofManyThreads_openOneStore() throws {
        for round in 0..<20 {
            let store = store(["SECITEM_STORE": "embedded", "SECITEM_DIRECTORY": folder.path + "/\(round)"])
            let opened = Shared<[ObjectIdentifier]>([])
            let workers = (0..<8).map { _ in
                Worker {
                    guard let chosen = try? store.chosenStore() else { return }
                    opened.change { $0.append(ObjectIdentifier(chosen.store as AnyObject)) }
                }
            }
            workers.forEach { $0.join() }
            #expect(opened.value.count == 8 && Set(opened.value).count == 1)
            // Released here, so that no other store can have had the address.
            try withExtendedLifetime(store.chosenStore()) {}
        }
    }

    // MARK: Errors

    @Test func queryThatIsWrong_isToldSo_beforeTheStoreIsOpened() {
        let store = store(["SECITEM_STORE": "nonsense"])
        #expect(store.calls.copyMatching([kSecClass: kSecClassKey, "u_What": 1] as CFDictionary, nil) == errSecParam)
        #expect(store.calls.copyMatching([kSecClass: kSecClassKey] as CFDictionary, nil) == errSecNotAvailable)
    }

    /// A misspelt protector never means less protection.
    @Test func unknownProtector_isRefused() {
        let folder = folder.path + "/protected"
        let store = store(["SECITEM_STORE": "embedded", "SECITEM_DIRECTORY": folder, "SECITEM_PROTECTOR": "tmp"])
        let item = [kSecClass: kSecClassGenericPassword, kSecValueData: Data("secret".utf8)] as CFDictionary
        #expect(store.calls.add(item, nil) == errSecNotAvailable)
        #expect(access(folder, F_OK) != 0)
    }

    @Test func storeThatCannotBeOpened_isTriedAgain() throws {
        let store = store(["SECITEM_STORE": "embedded", "SECITEM_DIRECTORY": folder.path + "/late"])
        try Data().write(to: URL(fileURLWithPath: folder.path + "/late"))
        #expect(store.calls.delete([kSecClass: kSecClassKey] as CFDictionary) == errSecNotAvailable)
        try FileManager.default.removeItem(atPath: folder.path + "/late")
        #expect(store.calls.delete([kSecClass: kSecClassKey] as CFDictionary) == errSecItemNotFound)
    }

    @Test func wrongSetting_isLoggedOnce_withItsRemedy() throws {
        let cases: [([String: String], [String])] = [
            (["HOME": "/no/such"], ["HOME is", "SECITEM_DIRECTORY"]),
            (["SECITEM_STORE": "nonsense"], ["nonsense", "secret-service"]),
            (["SECITEM_DIRECTORY": "relative"], ["relative"]),
        ]
        for (variables, words) in cases {
            let probe = try probe("find-thrice", "one", adding: variables)
            #expect(probe.lines == ["-25291", "-25291", "-25291"])
            let lines = probe.errors.split(separator: "\n").filter { $0.contains(" error") }
            #expect(lines.count == 1, "\(probe.errors)")
            for word in words { #expect(probe.errors.contains(word), "\(probe.errors)") }
        }
    }

    @Test func logVariable_showsEveryCause() throws {
        let quiet = try probe("find-thrice", "none")
        #expect(quiet.lines == ["-25300", "-25300", "-25300"] && quiet.errors == "")
        let loud = try probe("find-thrice", "none", adding: ["SECITEM_LOG": "debug"])
        #expect(
            loud.errors.split(separator: "\n").filter { $0.contains("SecItemCopyMatching: errSecItemNotFound") }.count
                == 3)
    }

    // MARK: Items elsewhere

    @Test func newStore_whereTheApplicationHadItems_isSaid() throws {
        #expect(try probe("add", "one").errors == "")
        let moved = try probe("add", "two", adding: ["XDG_DATA_HOME": folder.path + "/other"])
        #expect(moved.lines == ["0"] && moved.errors.contains("had items in another keychain"), "\(moved.errors)")
        // From then on, the items are in this store.
        #expect(try probe("find", "two", adding: ["XDG_DATA_HOME": folder.path + "/other"]).errors == "")
        try FileManager.default.removeItem(atPath: folder.path + "/other")
        let gone = try probe("find", "two", adding: ["XDG_DATA_HOME": folder.path + "/other"])
        #expect(gone.errors.contains("no longer exists"), "\(gone.errors)")
    }

    #if Gnome || Desktop
        /// The folder with the items is gone, perhaps because its disk is not mounted, and a Secret Service answers. It is
        /// used from then on, and that is said once.
        @Test(.enabled(if: PrivateBus.shared != nil, Comment(rawValue: PrivateBus.reason)))
        func service_whereTheApplicationHadItemsInAFolder_isSaid() throws {
            #expect(try probe("add", "one").errors == "")
            try FileManager.default.removeItem(atPath: folder.path + "/.local/share/secitem")
            let desktop = ["DBUS_SESSION_BUS_ADDRESS": "unix:path=\(try #require(PrivateBus.shared).folder)/bus"]
            let moved = try probe("find", "one", adding: desktop)
            #expect(moved.lines == ["-25300"])
            for part in ["had items in another keychain", "now=the Secret Service"] {
                #expect(moved.errors.contains(part), "\(moved.errors)")
            }
        }
    #endif

    /// A keychain of this user's at a usual place, whoever's items are in it, is told of when a program that was given
    /// another place makes one there.
    @Test(arguments: [[:], ["XDG_DATA_HOME": "data"]], ["XDG_DATA_HOME", "SECITEM_DIRECTORY"])
    func newStore_besideTheUsersOther_isSaid(_ first: [String: String], _ variable: String) throws {
        let usual = first.mapValues { folder.path + "/" + $0 }
        #expect(try probe("add", "one", adding: usual).errors == "")
        var other = usual.merging(["SECITEM_APPLICATION_IDENTIFIER": "another"]) { $1 }
        other[variable] = folder.path + "/other"
        let made = try probe("add", "two", adding: other)
        // Nothing says any longer that the variable was another one before.
        let isKnown = usual[variable] == nil
        #expect(made.lines == ["0"] && made.errors.contains("this user has another one") == isKnown, "\(made.errors)")
        #expect(try probe("add", "three", adding: other).errors == "")
    }

    // MARK: Summary

    @Test func summary_saysEachThingOnce() throws {
        #expect(try probe("add", "one").lines == ["0"])
        let summary = try probe("summary").lines[0]
        #expect(
            summary
                == "an encrypted database at \(folder.path)/.local/share/secitem/items.db, protected by the key file "
                + "beside it; chosen because the application has items in it; unlocked; 1 item of \"probe\" (from "
                + "SECITEM_APPLICATION_IDENTIFIER)")
    }

    @Test func summary_ofAnyStore_saysWhetherItIsLocked() throws {
        let memory = InMemoryStore()
        let text = {
            StoreSummary(
                chosen: ChosenStore(store: memory, reason: "of this test"),
                application: ClientApplication(identifier: "application"), origin: .application
            ).text
        }
        #expect(
            text()
                == "in memory; chosen because of this test; unlocked; 0 items of \"application\" (set by the application)"
        )
        memory.lock()
        #expect(text().contains("; locked;"))
    }

    /// A store that fails is called neither locked nor unlocked, unless it knows that it is locked. If it only lacks a
    /// person, just the number of its items is unknown.
    @Test(arguments: [StoreError.Code.io, .unavailable, .corrupt, .locked])
    func summary_ofAStoreThatFails_saysWhatIsKnown(_ code: StoreError.Code) {
        let memory = InMemoryStore()
        let text = {
            memory.failNext(StoreError(code, "told to"))
            return StoreSummary(
                chosen: ChosenStore(store: memory, reason: "of this test"),
                application: ClientApplication(identifier: "application"), origin: .application
            ).text
        }
        let lacksPerson = code == .locked
        let count = lacksPerson ? "an unknown number of items" : "items that cannot be counted (told to)"
        #expect(
            text()
                == "in memory; chosen because of this test; \(lacksPerson ? "unlocked; " : "")\(count) of \"application\" (set "
                + "by the application)")
        memory.lock()
        #expect(text().contains("; locked; \(count) of"))
    }

    @Test func summary_namesThePassphrasesOrigin_neverThePassphrase() throws {
        let file = folder.path + "/passphrase"
        try "correct horse".write(toFile: file, atomically: true, encoding: .utf8)
        try #require(chmod(file, 0o600) == 0)
        let variables = ["SECITEM_PASSPHRASE_FILE": file]
        #expect(try probe("add", "one", adding: variables).lines == ["0"])
        let summary = try probe("summary", adding: variables).lines[0]
        #expect(summary.contains("its passphrase comes from the file \(file), which SECITEM_PASSPHRASE_FILE names"))
        #expect(!summary.contains("horse"))
    }

    // MARK: Another name

    @Test func adopt_findsTheItemsOfTheOldName() throws {
        #expect(try probe("add", "one").lines == ["0"])
        let new = ["SECITEM_APPLICATION_IDENTIFIER": "new name"]
        #expect(try probe("find", "one", adding: new).lines == ["-25300"])
        #expect(try probe("adopt", "probe", adding: new).lines == ["1"])
        #expect(try probe("find", "one", adding: new).lines == ["0"])
        #expect(try probe("adopt", "probe", adding: new).lines == ["0"])
        #expect(try probe("find", "one").lines == ["-25300"])
    }

    /// The application already has an item of the last class.
    @Test func adopt_thatCannotMoveOneItem_movesNone() throws {
        let store = InMemoryStore()
        let old = KeychainCalls(store: store, application: ClientApplication(identifier: "old"))
        let new = KeychainCalls(store: store, application: ClientApplication(identifier: "new"))
        let classes = [kSecClassGenericPassword, kSecClassInternetPassword, kSecClassCertificate, kSecClassKey]
        for itemClass in classes { #expect(old.add([kSecClass: itemClass] as CFDictionary, nil) == errSecSuccess) }
        #expect(new.add([kSecClass: kSecClassKey] as CFDictionary, nil) == errSecSuccess)
        #expect(throws: KeychainError.self) { try new.adopt(itemsOf: "old") }
        for itemClass in classes {
            #expect(old.copyMatching([kSecClass: itemClass] as CFDictionary, nil) == errSecSuccess)
            let isOwn = itemClass == kSecClassKey
            let expected = isOwn ? errSecSuccess : errSecItemNotFound
            #expect(new.copyMatching([kSecClass: itemClass] as CFDictionary, nil) == expected)
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemSQLite
import SecItemStore
import TestSupport
import Testing

@testable import SecItemSelection
@testable import SecItemShim

/// The application changes its name or its store while it runs.
@Suite(.timeLimit(.minutes(60))) struct RenamingTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private var environment: [String: String] {
        [
            "HOME": folder.path, "DBUS_SESSION_BUS_ADDRESS": "unix:path=/none", "SECITEM_STORE": "automatic",
            "SECITEM_APPLICATION_IDENTIFIER": "old",
        ]
    }

    private func store() -> DefaultStore {
        let environment = environment
        return DefaultStore { environment }
    }

    /// The applications for which something is recorded, and the kind of store of each.
    private var remembered: Set<String> {
        let all = (try? PlacedApplication.all(environment: ["HOME": folder.path])) ?? []
        return Set(all.map { "\($0.identifier).\($0.place == .secretService ? "secret-service" : "embedded")" })
    }

    private var item: CFDictionary { Self.item }
    private static var item: CFDictionary {
        [kSecClass: kSecClassGenericPassword, kSecAttrAccount: "one"] as CFDictionary
    }

    // MARK: What is remembered, and for whom

    @Test func otherName_isRemembered_whateverStoreIsChosen() throws {
        let directory = URL(fileURLWithPath: folder.path + "/directory")
        for choice in [LinuxKeychain.Store.automatic, .embedded(), .embedded(directory: directory)] {
            let store = store()
            store.use(choice)
            #expect(try store.chosenStore().place != nil)
            store.setApplication(identifier: "new")
            #expect(store.calls.add(item, nil) == errSecSuccess)
            #expect(remembered == ["new.embedded"], "\(choice)")
            #expect(store.calls.delete(item) == errSecSuccess)
            try FileManager.default.removeItem(atPath: folder.path + "/.local/state")
        }
    }

    #if Gnome || Desktop
        @Test func otherName_withoutAService_isNotRemembered() throws {
            let store = store()
            store.use(.secretService)
            _ = try store.chosenStore()
            store.setApplication(identifier: "new")
            // There is no service, so nothing was stored.
            #expect(store.calls.add(item, nil) == errSecNotAvailable)
            #expect(remembered == [])
        }
    #endif

    /// The name changes while another thread is opening the store.
    @Test func nameThatIsSet_whileTheStoreIsOpened_holds() throws {
        let place = folder.path + "/.local/share/secitem"
        do {
            let first = store()
            #expect(first.calls.add(item, nil) == errSecSuccess)
        }
        try FileManager.default.removeItem(atPath: folder.path + "/.local/state")
        // Opening a store waits for this lock.
        let descriptor = open(place, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        try #require(descriptor >= 0 && flock(descriptor, LOCK_EX) == 0)
        let store = store()
        let opener = Worker { _ = try? store.chosenStore() }
        usleep(200_000)
        store.setApplication(identifier: "new")
        close(descriptor)
        opener.join()
        #expect(store.calls.add(item, nil) == errSecSuccess)
        #expect(remembered == ["new.embedded"])
    }

    @Test func namesThatManyThreadsSet_keepCallsAndMemoryTogether() throws {
        let store = store()
        let workers = (0..<4).map { number in
            Worker {
                for round in 0..<50 {
                    store.setApplication(identifier: "name\(number)")
                    let status = store.calls.add(Self.item, nil)
                    if status != errSecSuccess && status != errSecDuplicateItem { Issue.record("\(round) \(status)") }
                }
            }
        }
        workers.forEach { $0.join() }
        // Only names with items are recorded.
        for number in 0..<4 {
            store.setApplication(identifier: "name\(number)")
            let hasItem = store.calls.copyMatching(item, nil) == errSecSuccess
            #expect(remembered.contains("name\(number).embedded") == hasItem)
        }
    }

    /// Items in memory do not belong to a name. An item in another access group stays where it is.
    @Test func otherName_keepsWhatIsInMemory() throws {
        for choice in [LinuxKeychain.Store.inMemory, .custom(InMemoryStore())] {
            let store = store()
            store.use(choice)
            #expect(store.calls.add(item, nil) == errSecSuccess)
            store.setApplication(identifier: "new")
            #expect(try store.adopt(itemsOf: "old") == 1)
        }
    }

    /// As with the variables, an empty name counts as unset.
    @Test func emptyName_isNone() throws {
        let store = store()
        for name in ["new", ""] { store.setApplication(identifier: name) }
        #expect(store.application.identifier == "old")
        #expect(ApplicationIdentity(environment: ["SECITEM_ACCESS_GROUPS": "a, ,b,"]).accessGroups == ["a", "b"])
        #expect(ApplicationIdentity(environment: ["SECITEM_ACCESS_GROUPS": ""]).accessGroups == nil)
        #expect(ApplicationIdentity(environment: ["SECITEM_ACCESS_GROUPS": ","]).accessGroups == [])
    }

    @Test func sameName_keepsTheStoreOpen() throws {
        let store = store()
        store.use(.embedded(directory: URL(fileURLWithPath: folder.path + "/directory")))
        let before = try store.chosenStore().store as? SQLiteStore
        store.setApplication(identifier: "old")
        #expect(try store.chosenStore().store as? SQLiteStore === before)
    }

    /// The groups determine which store has the application's items. A store that was asked for does not depend on
    /// them.
    @Test func groups_thatChange_haveTheStoreChosenAnew() throws {
        let automatic = store(), asked = store()
        asked.use(.embedded(directory: URL(fileURLWithPath: folder.path + "/directory")))
        for (store, isChosenAnew) in [(automatic, true), (asked, false)] {
            for groups in [["a"], ["a", "b"], nil, []] as [[String]?] {
                let before = try store.chosenStore().store
                store.setApplication(groups: groups)
                #expect(store.application.entitledGroups == groups)
                let changed = try store.chosenStore().store
                // Without the trait Gnome, there is one store, whatever the groups are.
                let depends = try store.chosenStore().dependsOnApplication
                #expect((before as AnyObject !== changed as AnyObject) == (isChosenAnew && depends), "\(groups ?? [])")
                store.setApplication(groups: groups)
                #expect(try store.chosenStore().store as AnyObject === changed as AnyObject)
            }
        }
    }

    // MARK: Adoption

    @Test func adoption_isRemembered() throws {
        let old = store()
        #expect(old.calls.add(item, nil) == errSecSuccess)
        let new = store()
        new.setApplication(identifier: "new")
        #expect(try new.adopt(itemsOf: "old") == 1)
        #expect(remembered == ["old.embedded", "new.embedded"])
    }

    #if Gnome || Desktop
        private static let bus = PrivateBus.shared

        private func environment(of name: String, hasBus: Bool) -> [String: String] {
            var environment = [
                "HOME": folder.path, "SECITEM_APPLICATION_IDENTIFIER": name, "XDG_RUNTIME_DIR": folder.path,
                "DBUS_SESSION_BUS_ADDRESS": "unix:path=/none",
            ]
            if hasBus { environment["DBUS_SESSION_BUS_ADDRESS"] = Self.bus?.variables["DBUS_SESSION_BUS_ADDRESS"] }
            return environment
        }

        private func probe(
            _ command: String, _ argument: String, as name: String, _ more: [String: String] = [:], hasBus: Bool = true
        ) throws -> Probe {
            let environment = environment(of: name, hasBus: hasBus).merging(more) { $1 }
            return try Probe(command, argument, environment: environment)
        }

        private func mark(_ name: String) throws {
            _ = try PlaceFile(environment: ["HOME": folder.path], identifier: name).write(.secretService) { _ in true }
        }

        /// The new name once had items in the Secret Service, and the old one has items in the embedded store.
        @Test(.enabled(if: PrivateBus.shared != nil, Comment(rawValue: PrivateBus.reason)))
        func adoption_whereAMarkIsLeftOver_leavesItemsThatAreFound() throws {
            let new = "new \(UUID().uuidString)"
            #expect(try probe("add", "one", as: "old", ["SECITEM_STORE": "embedded"]).lines == ["0"])
            try mark(new)
            let adopted = try probe("adopt", "old", as: new)
            #expect(adopted.lines == ["1"], "\(adopted.errors)")
            #expect(try probe("find", "one", as: new).lines == ["0"])
            #expect(try probe("find", "one", as: new, hasBus: false).lines == ["0"])
        }

        /// The items of the new name cannot be counted.
        @Test func adoption_whereTheMarkedServiceIsAway_movesNothing() throws {
            #expect(try probe("add", "one", as: "old", ["SECITEM_STORE": "embedded"], hasBus: false).lines == ["0"])
            try mark("new")
            #expect(try probe("adopt", "old", as: "new", hasBus: false).lines[0].contains("-25291"))
            #expect(try probe("find", "one", as: "old", hasBus: false).lines == ["0"])
            #expect(remembered.contains("new.secret-service"))
        }

        @Test(.enabled(if: PrivateBus.shared != nil, Comment(rawValue: PrivateBus.reason)))
        func adoption_inTheSecretService_isMarkedForTheNewNameAlone() throws {
            let old = "old \(UUID().uuidString)", new = "new \(UUID().uuidString)"
            #expect(try probe("add", "one", as: old).lines == ["0"])
            #expect(try probe("adopt", old, as: new).lines == ["1"])
            #expect(try probe("find", "one", as: new).lines == ["0"])
            for name in [old, new] {
                #expect(try PlaceFile(environment: ["HOME": folder.path], identifier: name).place == .secretService)
            }
            #expect(try probe("find", "one", as: new, hasBus: false).lines == ["-25291"])
            #expect(try probe("delete", "one", as: new).lines == ["0"])
        }

        /// Two processes choose a store before the first item is stored: one on the session bus, one without a bus.
        @Test(.enabled(if: PrivateBus.shared != nil, Comment(rawValue: PrivateBus.reason)))
        func itemsInTwoStores_areSaid() throws {
            let name = "split \(UUID().uuidString)"
            let first = try Program(
                try Probe.path, ["find-and-add-later", "one"], environment: environment(of: name, hasBus: true)
            ).start()
            try first.waitFor(line: "-25300")
            #expect(try probe("add", "one", as: name, hasBus: false).lines == ["0"])
            first.write("go\n")
            let ended = try first.waitUntilExit()
            #expect(ended.lines == ["-25300", "0"])
            #expect(ended.errors.contains("had items in another keychain"), "\(ended)")
            #expect(try probe("delete", "one", as: name).lines == ["0"])
        }
    #endif

    // MARK: What is replaced

    /// The old store is released outside all locks, so its `deinit` may use the keychain.
    @Test func storeThatIsReplaced_mayUseTheKeychainAtItsEnd() throws {
        let probe = try Probe("replace", environment: environment)
        #expect(probe.status == 0, "\(probe.errors)")
        #expect(
            probe.lines == ["custom 0 0", "end -25300 old", "memory -25300", "end -25300 old"], "\(probe.lines)")
    }
}

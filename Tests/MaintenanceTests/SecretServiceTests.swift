// SPDX-License-Identifier: Apache-2.0

#if Gnome || Desktop
    import Foundation
    import SecItemConformance
    import SecItemGnome
    import SecItemMaintenance
    import SecItemSQLite
    import SecItemStore
    import TestSupport
    import Testing

    /// The same on a real Secret Service. Each test has a service of its own, because it moves, counts and locks all
    /// items.
    @Suite(.serialized, .enabled(if: PrivateBus.isGnomeKeyring, Comment(rawValue: PrivateBus.reason)))
    struct SecretServiceMaintenanceTests {
        private let bus: PrivateBus
        private let store: LibsecretStore
        private let folder: TemporaryFolder
        private let passphrase = Secret(text: "correct horse")

        init() throws {
            bus = try PrivateBus(.unlocked)
            var configuration = LibsecretStore.Configuration(environment: bus.environment)
            configuration.canPrompt = false
            store = LibsecretStore(configuration: configuration)
            folder = try TemporaryFolder()
        }

        private func clear() throws {
            for record in try store.allItems() {
                let filter = RecordFilter(itemClass: record.itemClass, reference: record.reference)
                _ = try store.delete(matching: filter, interaction: .allowed)
            }
        }

        @Test func backupRestoreAndMove_keepEachItem() throws {
            var items = RandomItems(SeededGenerator(), isPlain: true)
            let records = (0..<40).map { _ in items.next() }
            for record in records { try store.insert(record) }
            let before = try store.content()
            #expect(before == records.map(\.everything).sorted())
            var options = Backup.Options()
            options.cost = .lowest
            options.isForThisDevice = true
            options.keyFile = BackupKeyFile(folder: folder.path)
            let path = folder.path + "/backup"
            #expect(try Backup.write(store, to: path, passphrase: passphrase, options).items == 40)
            try clear()
            #expect(try Backup.restore(path, into: store, passphrase: passphrase, keyFile: options.keyFile).added == 40)
            #expect(try store.content() == before)
            #expect(try Backup.restore(path, into: store, passphrase: passphrase, keyFile: options.keyFile).same == 40)
            // To the embedded store, and back.
            let embedded = try embeddedStore(folder)
            var move = Move.Options()
            move.deletesSource = true
            #expect(try Move.run(from: store, to: embedded, move).deleted == 40)
            #expect(try store.content().isEmpty && embedded.content() == before)
            #expect(try Move.run(from: embedded, to: store, move).deleted == 40)
            #expect(try embedded.content().isEmpty && store.content() == before)
            let report = try StoreCheckup.run(store)
            #expect(report.count == 40 && report.isInOrder)
        }

        @Test func whatTheServiceCannotHold_isRefusedByName() throws {
            let source = InMemoryStore()
            try source.insert(.password("plain"))
            let server = ItemRecord(
                reference: PersistentReference(itemClass: .internetPassword),
                attributes: [.server: .string("example.org"), .accessGroup: .string("group")],
                secrets: [.valueData: Secret(text: "a"), .extraNotes: Secret(text: "b")])
            try source.insert(server)
            var move = Move.Options()
            move.deletesSource = true
            let summary = try Move.run(from: source, to: store, move)
            #expect(summary.tally.added == 1 && summary.tally.refused == 1)
            #expect(summary.tally.refusals.map(\.reference) == [server.reference])
            #expect(try source.allItems().count == 2)
        }

        /// Look-ups skip a damaged item. A backup or a check reports it.
        @Test func damagedItem_isNamed() throws {
            try store.insert(.password("whole"))
            let attributes = ["secitem:id", "no number", "secitem:class", "genp", "maintenance", "damaged"]
            let stored = try bus.execute(["secret-tool", "store", "--label=x"] + attributes, input: "x")
            #expect(stored.status == 0)
            let report = try StoreCheckup.run(store)
            #expect(report.count == 1 && report.damaged.count == 1 && !report.isInOrder)
            let path = folder.path + "/backup"
            var options = Backup.Options()
            options.cost = .lowest
            #expect(code { _ = try Backup.write(store, to: path, passphrase: passphrase, options) } == .corrupt)
            options.leavesOutDamaged = true
            let summary = try Backup.write(store, to: path, passphrase: passphrase, options)
            #expect(summary.items == 1 && summary.damaged.count == 1)
        }

        /// The result says that some items could not be checked because they are locked.
        @Test func lockedItems_areCounted() throws {
            for account in ["a", "b", "c"] { try store.insert(.password(account)) }
            try bus.whileLocked {
                #expect(code { _ = try StoreCheckup.run(store) } == .locked)
                let report = try StoreCheckup.run(store, interaction: .skipped)
                #expect(report.locked == 3 && report.count == 0)
            }
            let report = try StoreCheckup.run(store, interaction: .skipped)
            #expect(report.locked == 0 && report.count == 3)
        }

        /// The doctor counts the locked items, and asks nobody, although somebody would answer.
        @Test func lockedItems_areNamedByTheDoctor() throws {
            for account in ["a", "b", "c"] { try store.insert(.password(account)) }
            var environment = bus.environment
            environment["SECITEM_STORE"] = "secret-service"
            // Where there is a display, a call may ask.
            environment["DISPLAY"] = ":0"
            try bus.run("prompter", "answer")
            let locked = try bus.whileLocked { Doctor(environment: environment).run() }
            let finding = locked.first { $0.topic == "locked" }
            #expect(finding?.level == .note && finding?.text == "3 items are locked", "\(locked)")
            #expect(locked.contains { $0.topic == "items" && $0.text.hasPrefix("0 generic passwords") }, "\(locked)")
            // Only one finding is a problem.
            #expect(locked.filter { $0.level == .problem }.map(\.topic) == ["secret-service"], "\(locked)")
            #expect(bus.prompterLog.isEmpty)
            let open = Doctor(environment: environment).run()
            #expect(open.contains { $0.topic == "items" && $0.text.hasPrefix("3 generic passwords") }, "\(open)")
            #expect(!open.contains { $0.topic == "locked" })
        }

        @Test func whatSecretToolFinds_isImported() throws {
            try store.insert(.password("own"))
            try bus.tool(
                "secret-tool", "store", "--label=A label", "service", "mail", "username", "anna", "maintenance", "test",
                input: "sécret")
            try bus.tool(
                "secret-tool", "store", "--label=Only a label", "number", "7", "maintenance", "test", input: "x")
            let target = InMemoryStore()
            let source = SecretServiceItems(environment: bus.environment)
            let (tally, _) = try ForeignImport.run(source, into: target, group: "group")
            let found = try target.allItems().map { "\($0.attributes[.service]?.string ?? "") \($0.text ?? "")" }
            #expect(found.contains("mail sécret") && found.contains("Only a label x"), "\(found) \(tally)")
            #expect(try target.password("own") == nil)
        }

        /// Items that differ in an attribute with a name of their programs' own are not one, and none replaces another.
        @Test(arguments: ["account", "user", "login", "tenant"]) func itemsOfOneService_areNotMerged(_ name: String)
            throws
        {
            for account in ["anna", "bert"] {
                try bus.tool("secret-tool", "store", "--label=Mail", "service", "mail", name, account, input: account)
            }
            let target = InMemoryStore()
            let source = SecretServiceItems(environment: bus.environment)
            for replaces in [false, true] {
                let (tally, _) = try ForeignImport.run(source, into: target, group: "group", replacing: replaces)
                #expect(tally.replaced == 0 && tally.isComplete == (name != "tenant"), "\(tally)")
                #expect(
                    try target.allItems().compactMap(\.text).sorted()
                        == (name == "tenant" ? ["anna"] : ["anna", "bert"]))
            }
        }
    }
#endif

// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import Foundation
    import SecItemPostgreSQL
    import SecItemStore
    import TestSupport
    import Testing

    /// The command `security` on a keychain in a database: what the doctor says, and moving items from and to it.
    @Suite(.timeLimit(.minutes(60)))
    struct CommandTests {
        private let server: PrivateServer
        private let folder: TemporaryFolder
        private var keyFile: String { folder.path + "/key" }

        init() throws {
            server = try PrivateServer()
            folder = try TemporaryFolder()
        }

        /// The environment of a program on a machine without a desktop.
        private func environment(_ changes: [String: String] = [:]) -> [String: String] {
            let inherited = Program.inheritedEnvironment.filter {
                !$0.key.hasPrefix("SECITEM_") && !$0.key.hasPrefix("PG")
            }
            return inherited.merging([
                "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent", "HOME": folder.path,
                "XDG_DATA_HOME": folder.path + "/data", "XDG_STATE_HOME": folder.path + "/state",
                "SECITEM_STORE": "postgresql", "SECITEM_POSTGRESQL": server.owner,
                "SECITEM_POSTGRESQL_KEY_FILE": keyFile,
            ]) { $1 }.merging(changes) { $1 }
        }

        private func security(
            _ arguments: [String], _ changes: [String: String] = [:], input: String = ""
        ) throws -> FinishedProgram {
            var program = try Program.built("security", arguments)
            program.environment = environment(changes)
            return try program.run(input: input)
        }

        private func add(_ account: String, _ changes: [String: String] = [:]) throws {
            let added = try security(
                ["add-generic-password", "-s", "service", "-a", account, "-w", "secret of " + account], changes)
            #expect(added.status == 0, "\(added)")
        }

        private func secret(_ account: String, _ changes: [String: String] = [:]) throws -> String? {
            let found = try security(["find-generic-password", "-s", "service", "-a", account, "-w"], changes)
            return found.status == 0 ? found.lines.first : nil
        }

        // MARK: Doctor

        /// What the doctor says: for each topic, the worst level and all texts.
        private struct Report: Decodable {
            struct Finding: Decodable {
                let topic: String
                let level: String
                let text: String
            }

            let isWell: Bool
            let findings: [Finding]

            func levels(_ topic: String) -> [String] { findings.filter { $0.topic == topic }.map(\.level) }
            func text(_ topic: String) -> String {
                findings.filter { $0.topic == topic }.map(\.text).joined(separator: "\n")
            }
        }

        private func doctor(_ changes: [String: String] = [:]) throws -> Report {
            let finished = try security(["doctor", "--json"], changes)
            let report = try JSONDecoder().decode(Report.self, from: Data(finished.output.utf8))
            #expect(finished.status == (report.isWell ? 0 : 1))
            #expect(report.isWell == report.findings.allSatisfy { $0.level != "problem" })
            return report
        }

        @Test func doctor_saysWhatIsThereAndNothingOfFiles() throws {
            let before = try doctor()
            #expect(before.isWell, "\(before)")
            #expect(before.levels("key-file") == ["note"] && before.levels("tables") == ["note"])
            // It makes nothing.
            #expect(access(keyFile, F_OK) != 0)
            #expect(try server.administer("SELECT to_regclass('secitem.format') IS NULL") == "t\n")
            try add("account")
            let after = try doctor()
            #expect(after.isWell, "\(after)")
            for topic in ["key-file", "server", "tls", "pooler", "tables", "rights", "keychain", "passphrase", "items"]
            {
                #expect(after.levels(topic) == ["fine"], "\(topic) in \(after)")
            }
            for topic in ["files", "key-cache"] { #expect(after.levels(topic).isEmpty) }
            #expect(after.text("server").contains("secitem_owner"))
            #expect(after.text("key-file").contains("mode 600"))
            #expect(after.text("keychain").contains("\"default\""))
            #expect(after.text("store").components(separatedBy: keyFile).count == 2, "\(after.text("store"))")
            let printed = try security(["doctor"])
            #expect(printed.status == 0 && printed.output.contains("ok       tables: "))
        }

        @Test func doctor_namesWhatIsWrong() throws {
            try add("account")
            let other = try doctor(["SECITEM_POSTGRESQL_KEYCHAIN": "other"])
            #expect(other.isWell && other.levels("keychain") == ["note"])
            // A machine without the key file, and one with that of another database.
            let missing = try doctor(["SECITEM_POSTGRESQL_KEY_FILE": folder.path + "/missing"])
            #expect(!missing.isWell && missing.text("keychain").contains("no key file"))
            let stranger = try PrivateServer(isStranger: true)
            try PostgreSQLStore(PostgreSQLServer(stranger.owner), keyFile: folder.path + "/other").add("account")
            let wrong = try doctor(["SECITEM_POSTGRESQL_KEY_FILE": folder.path + "/other"])
            #expect(!wrong.isWell && wrong.text("keychain").contains("not that of the keychains"))
            chmod(keyFile, 0o644)
            let open = try doctor()
            #expect(!open.isWell && open.text("key-file").contains("mode 644"))
            chmod(keyFile, 0o600)
            let relative = try doctor(["SECITEM_POSTGRESQL_KEY_FILE": "key"])
            #expect(!relative.isWell && relative.text("configuration").contains("not an absolute path"))
            let unused = try doctor(["SECITEM_STORE": "", "SECITEM_DIRECTORY": folder.path + "/embedded"])
            #expect(unused.text("configuration").contains("SECITEM_STORE is not"))
            try server.administer("UPDATE secitem.format SET version = 1000")
            let newer = try doctor()
            #expect(!newer.isWell && newer.text("tables").contains("newer"))
            try server.control("stop")
            let away = try doctor()
            #expect(!away.isWell && away.levels("server") == ["problem"])
            #expect(!away.text("store").contains("unlocked") && away.text("store").contains("not opened yet"))
            #expect(!"\(away)".contains("password="))
        }

        /// If only synchronizable items are in the database, the doctor looks at it too.
        @Test func doctor_looksAtTheDatabaseOfSynchronizableItems() throws {
            let divided = [
                "SECITEM_STORE": "embedded", "SECITEM_DIRECTORY": folder.path + "/embedded",
                "SECITEM_SYNCHRONIZABLE": "postgresql",
            ]
            try add("synchronizable")
            let well = try doctor(divided)
            #expect(well.isWell, "\(well)")
            for topic in ["key-file", "server", "tables", "keychain"] {
                #expect(well.levels(topic) == ["fine"], "\(well)")
            }
            try server.control("stop")
            let away = try doctor(divided)
            #expect(!away.isWell && away.levels("server") == ["problem"])
        }

        @Test func keyFileWithoutAPlace_isAskedForByItsOwnName() throws {
            for (changes, text) in [
                (
                    ["SECITEM_POSTGRESQL_KEY_FILE": "", "HOME": "/", "XDG_DATA_HOME": ""],
                    "set SECITEM_POSTGRESQL_KEY_FILE"
                ),
                (["SECITEM_POSTGRESQL_KEY_FILE": "relative/key"], "not an absolute path"),
            ] {
                let report = try doctor(changes)
                #expect(!report.isWell)
                #expect(report.text("store").contains(text), "\(report)")
                #expect(!report.text("store").contains("SECITEM_DIRECTORY"), "\(report)")
            }
        }

        @Test func databaseThatNobodyChose_isWarnedAbout() throws {
            let finished = try security(
                ["find-generic-password", "-s", "service"], ["SECITEM_STORE": "", "SECITEM_LOG": "warning"])
            #expect(finished.errors.contains("SECITEM_POSTGRESQL is set, but SECITEM_STORE is not"), "\(finished)")
        }

        // MARK: Fleet

        /// A machine is a key file of its own. It opens the keychain from its joining to its removal.
        @Test func machines_joinAndAreRemoved() throws {
            try add("account")
            let machines = ["web", "spare"].map { ["SECITEM_POSTGRESQL_KEY_FILE": folder.path + "/" + $0] }
            for (name, machine) in zip(["web", "spare"], machines) {
                let invited = try security(["fleet", "invite", "--name", name, "--expires", "5m"])
                #expect(invited.status == 0 && invited.lines.count == 1, "\(invited)")
                // The first invitation changes this machine's key file, and says so.
                #expect(invited.errors.contains("former key file is \(keyFile).device-") == (name == "web"))
                #expect(invited.errors.components(separatedBy: "\n").count == (name == "web" ? 2 : 1))
                let joined = try security(["fleet", "join"], machine, input: invited.output)
                #expect(joined.status == 0 && joined.output.isEmpty, "\(joined)")
                #expect(joined.errors.hasSuffix("this machine is the member \"\(name)\", \(try fingerprint(name))\n"))
                #expect(try secret("account", machine) == "secret of account")
            }
            let listed = try security(["fleet", "list"], machines[0])
            #expect(listed.status == 0 && listed.lines.count == 3, "\(listed)")
            #expect(listed.lines.filter { $0.hasSuffix("(this machine)") }.map { $0.contains("web") } == [true])
            #expect(try security(["fleet", "remove", "nobody"]).status == 1)
            let removed = try security(["fleet", "remove", "spare"])
            #expect(removed.status == 0 && removed.errors == "1 items were encrypted again\n", "\(removed)")
            // A machine may have invited itself under another name, so those that stay are shown.
            #expect(removed.lines == (try security(["fleet", "list"])).lines && removed.lines.count == 2)
            #expect(try secret("account", machines[1]) == nil)
            let again = try security(["rekey"])
            #expect(again.status == 0 && again.errors == "1 items were encrypted again\n", "\(again)")
            for machine in [[:], machines[0]] { #expect(try secret("account", machine) == "secret of account") }
        }

        private struct Member: Decodable {
            let name: String
            let fingerprint: String
            let state: String
            let isThisMachine: Bool
            let inviter: Inviter?

            struct Inviter: Decodable {
                let name: String
                let fingerprint: String
            }
        }

        private func members() throws -> [Member] {
            let listed = try security(["fleet", "list", "--json"])
            return try JSONDecoder().decode([Member].self, from: Data(listed.output.utf8))
        }

        private func fingerprint(_ name: String) throws -> String {
            try members().first { $0.name == name && $0.state == "member" }?.fingerprint ?? "none"
        }

        /// The fingerprint of this machine.
        private func fingerprint() throws -> String {
            try members().first(where: \.isThisMachine)?.fingerprint ?? "none"
        }

        /// A machine chooses its name, and may choose what stands for another one.
        @Test func fingerprint_namesItsMachine_whateverTheNamesAre() throws {
            try add("account")
            let machines = ["web", "spare"].map { ["SECITEM_POSTGRESQL_KEY_FILE": folder.path + "/" + $0] }
            _ = try security(
                ["fleet", "join"], machines[0], input: security(["fleet", "invite", "--name", "web"]).output)
            let web = try fingerprint("web")
            _ = try security(
                ["fleet", "join"], machines[1], input: security(["fleet", "invite", "--name", web]).output)
            let removed = try security(["fleet", "remove", web, "--json"])
            #expect(removed.status == 0, "\(removed)")
            let left = try JSONDecoder().decode([Member].self, from: Data(removed.output.utf8))
            #expect(left.count == 2 && left.contains { $0.name == web } && !left.contains { $0.name == "web" })
            #expect(try secret("account", machines[0]) == nil)
            #expect(try secret("account", machines[1]) == "secret of account")
        }

        /// The list says who invited whom, and which invitations nobody can use any more.
        @Test func list_saysWhoInvitedAMachineAndWhichInvitationsAreOver() throws {
            try add("account")
            let machine = ["SECITEM_POSTGRESQL_KEY_FILE": folder.path + "/web"]
            let invited = try security(["fleet", "invite", "--name", "web"])
            let own = try fingerprint()
            _ = try security(["fleet", "join"], machine, input: invited.output)
            _ = try security(["fleet", "invite", "--name", "late", "--expires", "1s"], machine)
            _ = try security(["fleet", "invite", "--name", "open"], machine)
            sleep(3)
            let members = try members()
            #expect(members.map(\.state).sorted() == ["expired", "invited", "member", "member"])
            #expect(members.first { $0.state == "expired" }?.name == "late")
            let web = try fingerprint("web")
            #expect(members.map { $0.inviter?.fingerprint ?? "" }.sorted() == ["", own, web, web].sorted())
            #expect(Set(members.filter { $0.name != "web" }.compactMap(\.inviter?.name)) == ["web"])
            let lines = try security(["fleet", "list"]).lines
            for (name, state) in [("late", "expired  since"), ("open", "invited  until")] {
                let found = lines.filter { $0.contains("\(name)  (invited by web, \(web))") && $0.contains(state) }
                #expect(found.count == 1, "\(lines)")
            }
        }

        /// A damaged item is deleted only by who asks for it.
        @Test func damagedItem_isLeftOutOnRequest() throws {
            for account in ["a", "b"] { try add(account) }
            _ = try security(["fleet", "invite"])
            try server.administer(
                """
                UPDATE secitem.item SET attributes = set_byte(attributes, 3, get_byte(attributes, 3) # 1)
                WHERE id = (SELECT max(id) FROM secitem.item)
                """)
            let refused = try security(["rekey"])
            #expect(refused.status != 0 && refused.errors.contains("--without-damaged"), "\(refused)")
            let done = try security(["rekey", "--without-damaged"])
            #expect(done.status == 0, "\(done)")
            #expect(done.errors.contains("1 items were") && done.errors.contains("1 damaged items were"), "\(done)")
            #expect(try secret("a") == "secret of a")
        }

        /// Copies of the device key are in no list, so the command asks before it shuts them out.
        @Test func copiesOfTheDeviceKey_areNotShutOutUnasked() throws {
            try add("account")
            let before = try Data(contentsOf: URL(fileURLWithPath: keyFile))
            let refused = try security(["rekey"])
            #expect(refused.status == 1 && refused.errors.contains("--yes"), "\(refused)")
            #expect(try Data(contentsOf: URL(fileURLWithPath: keyFile)) == before)
            #expect(try security(["rekey", "--yes"]).status == 0)
            #expect(try secret("account") == "secret of account")
        }

        // MARK: Passphrases

        /// A file with a passphrase, as the variable of the environment names it.
        private func passphraseFile(_ passphrase: String) throws -> [String: String] {
            let file = folder.path + "/passphrase-" + passphrase
            try Data(passphrase.utf8).write(to: URL(fileURLWithPath: file))
            chmod(file, 0o600)
            return ["SECITEM_PASSPHRASE_FILE": file]
        }

        /// After each command, the keychain has the passphrase that it was given, and no other one opens it.
        @Test func passphrase_isSetChangedAndRemoved() throws {
            let command = "set-keychain-password"
            let empty = try security([command], input: "first\n")
            #expect(empty.status != 0 && empty.errors.contains("no keychain yet"), "\(empty)")
            try add("account")
            let first = try passphraseFile("first"), second = try passphraseFile("second")
            // A machine is configured for it too early, and can set it all the same.
            #expect(try secret("account", first) == nil)
            #expect(try security([command], first, input: "first\n").status == 0)
            for (changes, isRight) in [(first, true), (second, false), ([:], false)] {
                #expect((try secret("account", changes) == "secret of account") == isRight)
            }
            for (arguments, input) in [
                ([command], "wrong\nsecond\n"), ([command, "postgresql"], "first\n\n"),
                ([command, "-o", "first"], "\n"), ([command, "--remove", "-p", "x"], "first\n"),
                ([command, "postgresql:none"], "first\nsecond\n"),
            ] {
                #expect(try security(arguments, input: input).status != 0, "\(arguments)")
            }
            // The first one still opens it.
            #expect(try security([command, "postgresql"], input: "first\nsecond\n").status == 0)
            #expect(try doctor(second).levels("passphrase") == ["fine"])
            #expect(try doctor(first).levels("passphrase") == ["problem"])
            #expect(try security([command, "--remove"], input: "second\n").status == 0)
            #expect(try secret("account") == "secret of account")
            let unneeded = try security([command, "-o", "second"], input: "third\n")
            #expect(unneeded.status != 0 && unneeded.errors.contains("has none"), "\(unneeded)")
            // Another store that programs use is meant where one is chosen, and there is none.
            #expect(try security([command, "--remove", "login"], ["SECITEM_STORE": "embedded"]).status == 50)
        }

        /// The passphrase is asked for if any of the keychains has one.
        @Test func rekey_asksForThePassphraseOfAnotherKeychain() throws {
            let other = ["SECITEM_POSTGRESQL_KEYCHAIN": "two"]
            try add("account")
            try add("account", other)
            #expect(try security(["set-keychain-password"], other, input: "right\n").status == 0)
            let dump = "SELECT string_agg(encode(code, 'hex'), ',' ORDER BY code) FROM secitem.keys"
            let before = try server.administer(dump)
            for input in ["", "wrong\n"] {
                #expect(try security(["rekey", "--yes", "--also", "two"], input: input).status != 0)
            }
            #expect(try server.administer(dump) == before)
            let done = try security(["rekey", "--yes", "--also", "two"], input: "right\n")
            #expect(done.status == 0 && done.errors.contains("2 items were encrypted again"), "\(done)")
            #expect(try secret("account") == "secret of account")
            let right = try passphraseFile("right")
            #expect(try secret("account", other.merging(right) { $1 }) == "secret of account")
        }

        // MARK: Lists of keychains

        /// The keychain of the database has a name, and no path that a command could try to open.
        @Test(arguments: [nil, "passphrase"])
        func keychainOfTheDatabase_isCalledPostgresql(_ passphrase: String?) throws {
            let changes = try passphrase.map { (passphrase) -> [String: String] in
                let file = folder.path + "/passphrase"
                try Data(passphrase.utf8).write(to: URL(fileURLWithPath: file))
                chmod(file, 0o600)
                return ["SECITEM_PASSPHRASE_FILE": file]
            }
            try add("account", changes ?? [:])
            for command in ["login-keychain", "default-keychain", "list-keychains"] {
                let finished = try security([command], changes ?? [:])
                #expect(finished.output == "    \"postgresql\"\n" && finished.errors.isEmpty, "\(finished)")
            }
            let locked = try security(["default-keychain"])
            #expect(locked.output == "    \"postgresql\"\n" && locked.errors.isEmpty, "\(locked)")
            #expect(try security(["find-generic-password", "-s", "service"], changes ?? [:]).errors.isEmpty)
        }

        /// Items of this machine never take the place of those in a database that cannot be reached.
        @Test func databaseThatCannotBeReached_isNotReplacedByTheEmbeddedStore() throws {
            // Without SECITEM_DIRECTORY, the store is where the command looks by itself.
            let embedded = ["SECITEM_STORE": "embedded"], away = ["SECITEM_POSTGRESQL": "host=/nonexistent dbname=none"]
            try add("account", embedded)
            try add("shared")
            #expect(try secret("account", embedded) == "secret of account")
            #expect(try secret("account") == nil)
            for changes in [away, [:]] {
                for command in ["find-generic-password", "delete-generic-password"] {
                    let finished = try security([command, "-s", "service", "-a", "account"], changes)
                    #expect(finished.status != 0 && !finished.output.contains("account"), "\(finished)")
                }
            }
            #expect(try secret("account", embedded) == "secret of account")
        }

        /// A keychain that is not there is no empty one: the name may be mistyped.
        @Test(arguments: [["backup", "--keychain"], ["check", "--keychain"], ["move", "--to", "embedded", "--from"]])
        func keychainThatIsNotThere_isAnError(_ command: [String]) throws {
            try add("account")
            let place = "postgresql:mistyped"
            let line = command.first == "backup" ? ["backup", folder.path + "/b"] + command.dropFirst() : command
            let finished = try security(line + [place], ["SECITEM_DIRECTORY": folder.path + "/embedded"])
            #expect(finished.status != 0 && finished.errors.contains("no such keychain"), "\(finished)")
        }

        // MARK: Move

        @Test func items_moveIntoTheDatabaseAndBack() throws {
            let embedded = ["SECITEM_STORE": "embedded", "SECITEM_DIRECTORY": folder.path + "/embedded"]
            let accounts = (0..<20).map { "account \($0)" }
            for account in accounts { try add(account, embedded) }
            let there = try security(
                ["move", "--from", "embedded:" + folder.path + "/embedded", "--to", "postgresql", "--delete-source"])
            #expect(there.status == 0, "\(there)")
            for account in accounts {
                #expect(try secret(account) == "secret of " + account)
                #expect(try secret(account, embedded) == nil)
            }
            #expect(try security(["check"]).status == 0)
            // The name of a keychain in the same database is another place.
            let beside = try security(["move", "--from", "default", "--to", "postgresql:other"])
            #expect(beside.status == 0, "\(beside)")
            #expect(try secret("account 7", ["SECITEM_POSTGRESQL_KEYCHAIN": "other"]) == "secret of account 7")
            #expect(try security(["move", "--from", "default", "--to", "postgresql:default"]).status != 0)
            let back = try security(
                ["move", "--from", "postgresql", "--to", "embedded:" + folder.path + "/second", "--delete-source"])
            #expect(back.status == 0, "\(back)")
            let second = ["SECITEM_STORE": "embedded", "SECITEM_DIRECTORY": folder.path + "/second"]
            for account in accounts {
                #expect(try secret(account) == nil)
                #expect(try secret(account, second) == "secret of " + account)
            }
        }
    }
#endif

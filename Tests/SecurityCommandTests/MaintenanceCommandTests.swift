// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemMaintenance
import SecItemSQLite
import SecItemSealing
import SecItemStore
import TestSupport
import Testing

/// The maintenance commands.
@Suite struct MaintenanceCommandTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try "the passphrase\n".write(toFile: folder.path + "/passphrase", atomically: false, encoding: .utf8)
        chmod(folder.path + "/passphrase", 0o600)
    }

    private var home: [String: String] {
        [
            "HOME": folder.path, "XDG_DATA_HOME": folder.path + "/data", "XDG_STATE_HOME": folder.path + "/state",
            "XDG_RUNTIME_DIR": folder.path + "/run", "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent",
            "SECITEM_STORE": "embedded", "SECITEM_KEY_CACHE": "none", "SECITEM_APPLICATION_IDENTIFIER": "",
        ]
    }

    private func security(
        _ arguments: String..., input: String = "", adding variables: [String: String] = [:]
    ) throws -> FinishedProgram {
        try Program.built("security", arguments, adding: home.merging(variables) { $1 }).run(input: input)
    }

    private func store(_ name: String, passphrase: String? = nil) throws -> SQLiteStore {
        let protector: any RootKeyProtector =
            passphrase.map { passphrase in
                PassphraseProtector(sources: [.closure { Secret(Data(passphrase.utf8)) }], cost: .lowest)
            } ?? KeyFileProtector()
        return try SQLiteStore(
            madeWhenNeeded: StoreLocation(folder: folder.path + "/" + name), protector: protector, cache: .none)
    }

    private func password(
        _ account: String, _ secret: String = "never shown", group: String = "group",
        accessible: Accessible = .whenUnlocked
    ) -> ItemRecord {
        var attributes: [ItemAttribute: AttributeValue] = [
            .service: .string("service"), .account: .string(account), .accessGroup: .string(group),
            .accessible: .string(accessible.rawValue), .creationDate: .date(Date()), .modificationDate: .date(Date()),
        ]
        for row in ItemSchema.schema(of: .genericPassword).requiredRows where attributes[row.attribute] == nil {
            attributes[row.attribute] = row.kind.emptyValue
        }
        return ItemRecord(
            reference: PersistentReference(itemClass: .genericPassword), attributes: attributes,
            secrets: [.valueData: Secret(Data(secret.utf8))])
    }

    private func accounts(_ store: any KeychainStore) throws -> [String] {
        try store.records(
            matching: RecordFilter(itemClass: .genericPassword), parts: .attributes, limit: nil, interaction: .allowed
        ).compactMap { $0.attributes[.account]?.string }.sorted()
    }

    private func insert(_ records: ItemRecord..., into store: any KeychainStore) throws {
        for record in records { try store.insert(record, interaction: .allowed) }
    }

    // MARK: Backup and restore

    @Test func backupAndRestore_bringBackWhatWasThere() throws {
        try insert(
            password("anna"), password("bert", accessible: .alwaysThisDeviceOnly), into: store("data/secitem"))
        let file = folder.path + "/backup", secret = ["--passphrase-file", folder.path + "/passphrase"]
        var end = try security("backup", file, secret[0], secret[1])
        #expect(end.status == 0 && end.output.isEmpty)
        #expect(
            end.errors
                == "1 items are in \(file)\n1 items that must not leave this device were left out: --for-this-device includes them\n"
        )
        // A second backup does not replace the first.
        end = try security("backup", file, secret[0], secret[1])
        #expect(end.status == 45 && end.errors.contains("already exists"))
        end = try security("-q", "backup", file, "--replace", "--for-this-device", input: "x\n")
        #expect(end.status == 0 && end.errors.isEmpty)
        end = try security("restore", file, "--list", input: "x\n")
        #expect(end.output.hasPrefix("generic passwords: 2\ninternet passwords: 0\n"))
        end = try security("restore", file, "--keychain", folder.path + "/other", input: "wrong\n")
        #expect(end.status == 51)
        end = try security("restore", file, "--keychain", folder.path + "/other", input: "x\n")
        #expect(end.status == 0 && end.errors.hasSuffix("2 items: 2 added\n"), "\(end)")
        #expect(try accounts(store("other")) == ["anna", "bert"])
        end = try security("restore", file, "--keychain", "embedded:\(folder.path)/other", input: "x\n")
        #expect(end.status == 0 && end.errors == "2 items: 2 already there\n")
        try Data("junk".utf8).write(to: URL(fileURLWithPath: file))
        end = try security("restore", file, input: "x\n")
        #expect(end.status == 93 && end.errors.contains("not a keychain's backup"), "\(end)")
    }

    /// Another device cannot restore it, and `restore` says what a backup lacks.
    @Test func backupForThisDevice_isRestoredHereAlone() throws {
        try insert(
            password("anna"), password("bert", accessible: .alwaysThisDeviceOnly), into: store("data/secitem"))
        let file = folder.path + "/backup", secret = ["--passphrase-file", folder.path + "/passphrase"]
        let bound = try security("backup", file, "--for-this-device", secret[0], secret[1])
        #expect(bound.status == 0 && bound.errors.contains(folder.path + "/data/secitem/backup.key"), "\(bound)")
        let elsewhere = ["XDG_DATA_HOME": folder.path + "/elsewhere"]
        var end = try security("restore", file, secret[0], secret[1], adding: elsewhere)
        #expect(end.status == 1 && end.errors.contains("for the device on which it was made"), "\(end)")
        end = try security("restore", file, secret[0], secret[1], "--keychain", "embedded:\(folder.path)/other")
        #expect(
            end.status == 0 && end.errors.hasSuffix("2 items: 2 added\n") && !end.errors.contains("left out"), "\(end)")
        #expect(try security("backup", file, "--replace", secret[0], secret[1]).status == 0)
        end = try security("restore", file, secret[0], secret[1], adding: elsewhere)
        #expect(end.status == 0 && end.errors.contains("1 items are not in this backup"), "\(end)")
    }

    /// A message names what is wrong with a file, and not what went wrong last.
    @Test func filesThatAreEmpty_areCalledSo() throws {
        let empty = folder.path + "/empty"
        try Data().write(to: URL(fileURLWithPath: empty))
        for line in [
            ["import", empty], ["verify-cert", "-c", empty], ["cms", "-D", "-i", empty], ["restore", empty],
            ["import-passwords", "--from", "dump", empty], ["import-passwords", "--from", "python-keyring", empty],
            ["backup", folder.path + "/new", "--passphrase-file", empty],
        ] {
            chmod(empty, 0o600)
            let result = try Program.built("security", line, adding: home).run(input: "")
            #expect(result.status != 0 && result.errors.contains("empty"), "\(line) \(result.errors)")
            #expect(!result.errors.contains("ioctl") && !result.errors.contains("No such file"), "\(result.errors)")
        }
        let missing = try Program.built("security", ["import", folder.path], adding: home).run(input: "")
        #expect(missing.status == 1 && missing.errors.contains("Is a directory"), "\(missing.errors)")
    }

    /// `pass` and Python's keyring have their files where the environment says.
    @Test func importPasswords_readsTheUsualPlaces() throws {
        try FileManager.default.createDirectory(
            atPath: folder.path + "/data/python_keyring", withIntermediateDirectories: true)
        let file = folder.path + "/data/python_keyring/keyring_pass.cfg"
        try "[s]\na = c2VjcmV0\n".write(toFile: file, atomically: true, encoding: .utf8)
        var end = try security("import-passwords", "--from", "python-keyring")
        #expect(end.status == 0 && end.errors.contains("1 items: 1 added"), "\(end)")
        end = try security(
            "import-passwords", "--from", "pass", adding: ["PASSWORD_STORE_DIR": folder.path + "/nowhere"])
        #expect(end.errors.contains("there is no folder \(folder.path)/nowhere"), "\(end)")
        end = try security("import-passwords", "--from", "pass", adding: ["PASSWORD_STORE_DIR": ""])
        #expect(end.errors.contains("there is no folder \(folder.path)/.password-store"), "\(end)")
    }

    /// Somebody who tries a backup in a folder of its own has no items there: the next backup reads what it read before.
    @Test(arguments: ["", "embedded:"]) func restoreIntoAFolder_leavesNoTrace(_ word: String) throws {
        try insert(password("anna"), into: store("data/secitem"))
        let secret = folder.path + "/passphrase", file = folder.path + "/backup"
        #expect(try security("backup", file, "--passphrase-file", secret).status == 0)
        for name in ["one", "two"] {
            let place = "\(word)\(folder.path)/\(name)"
            let end = try security("restore", file, "--passphrase-file", secret, "--keychain", place)
            #expect(end.status == 0 && end.errors.hasSuffix("\n1 items: 1 added\n"), "\(end)")
            #expect(!end.errors.contains("This application had items"), "\(end)")
        }
        let end = try security("backup", file, "--passphrase-file", secret, "--replace")
        #expect(end.status == 0 && end.errors == "1 items are in \(file)\n", "\(end)")
    }

    /// A service may have no standard input. Then the first file that a command opens gets its number.
    @Test func withoutStandardInput_commandsDoTheSame() throws {
        func unattended(_ arguments: String...) throws -> FinishedProgram {
            var program = try Program.built("security", arguments, adding: home)
            program.arguments = ["-c", "exec \"$@\" <&-", "sh", program.executable] + program.arguments
            program.executable = "/bin/sh"
            return try program.run()
        }
        try insert(password("anna"), into: store("data/secitem"))
        let file = folder.path + "/backup", secret = folder.path + "/passphrase"
        var end = try unattended("backup", file, "--passphrase-file", secret)
        #expect(end.status == 0 && end.errors == "1 items are in \(file)\n", "\(end)")
        let other = folder.path + "/other"
        end = try unattended("restore", file, "--passphrase-file", secret, "--keychain", other)
        #expect(end.status == 0 && end.errors.hasSuffix("1 items: 1 added\n"), "\(end)")
        end = try unattended("check", "--keychain", other)
        #expect(end.status == 0 && end.output.hasPrefix("generic passwords: 1\n"), "\(end)")
        // A list without any keychain, which is not that of a user who has none.
        #expect(try security("list-keychains", "-s").status == 0)
        end = try unattended("list-keychains")
        #expect(end.status == 0 && end.output.isEmpty, "\(end)")
    }

    /// What is wrong with a file has nothing to do with a keychain, and is said before anybody types a passphrase.
    @Test func fileThatCannotBeUsed_isSaidPlainly_beforeThePassphraseIsAskedFor() throws {
        try insert(password("anna"), into: store("data/secitem"))
        let missing = folder.path + "/none/file", there = folder.path + "/passphrase"
        let expected: [([String], Int32, String)] = [
            (["backup", missing], 1, "cannot create a file in \(folder.path)/none: No such file or directory"),
            (["backup", there], 45, "\(there) already exists"),
            (["backup", there, "--replace"], 45, "\(there) exists and is not a backup, so it is not replaced"),
            (["restore", missing], 1, "\(missing) cannot be opened: No such file or directory"),
            (["restore", missing, "--list"], 1, "\(missing) cannot be opened: No such file or directory"),
            (["import-passwords", "--from", "pass"], 1, "there is no folder \(folder.path)/.password-store"),
            (["import-passwords", "--from", "pass", missing], 1, "there is no folder \(missing)"),
            (
                ["import-passwords", "--from", "dump", missing], 1,
                "\(missing) cannot be opened: No such file or directory"
            ),
        ]
        for (line, status, message) in expected {
            let end = try Program.built("security", line, adding: home).run()
            #expect(end.status == status && end.errors == "security: \(line[0]): \(message)\n", "\(end)")
        }
        let end = try security("restore", there)
        #expect(end.status == 93 && end.errors.contains("not a keychain's backup"), "\(end)")
    }

    /// Nobody types the keychain's password for a backup that cannot be written.
    @Test func fileThatIsThere_isSaid_beforeTheKeychainIsUnlocked() throws {
        try insert(password("anna"), into: store("data/secitem", passphrase: "pw"))
        let there = folder.path + "/passphrase"
        let end = try security("backup", there)
        #expect(end.status == 45 && end.errors == "security: backup: \(there) already exists\n", "\(end)")
        #expect(try security("backup", folder.path + "/new", input: "x\n").status != 0)
    }

    @Test func itemThatIsThere_isNotReplacedInSilence() throws {
        let file = folder.path + "/backup"
        try insert(password("anna", "old"), into: store("data/secitem"))
        _ = try security("backup", file, input: "x\n")
        try insert(password("anna", "new"), into: store("other"))
        var end = try security("restore", file, "--keychain", folder.path + "/other", input: "x\n")
        #expect(end.status == 1)
        #expect(
            end.errors == """
                1 items: 1 kept with other contents
                security: kept: generic password, service "service", account "anna", access group "group"
                security: --replace replaces them

                """)
        end = try security("restore", file, "--keychain", folder.path + "/other", "--replace", input: "x\n")
        #expect(end.status == 0 && end.errors == "1 items: 1 replaced\n")
    }

    /// Whatever an item is called, and by whichever attribute a person knows it.
    @Test func itemsThatAreKept_areAllNamed() throws {
        let file = folder.path + "/backup"
        func records(_ secret: String) -> [ItemRecord] {
            let first = password("\u{1b}[2J", secret)
            var internet = ItemRecord(
                reference: PersistentReference(itemClass: .internetPassword), attributes: first.attributes,
                secrets: first.secrets)
            for row in ItemSchema.schema(of: .internetPassword).requiredRows
            where internet.attributes[row.attribute] == nil {
                internet.attributes[row.attribute] = row.kind.emptyValue
            }
            internet.attributes[.service] = nil
            internet.attributes[.server] = .string("example.org")
            return [first, internet]
        }
        try store("data/secitem").insert(records("old secret"), interaction: .allowed)
        _ = try security("backup", file, input: "x\n")
        try store("other").insert(records("new secret"), interaction: .allowed)
        let end = try security("restore", file, "--keychain", folder.path + "/other", input: "x\n")
        #expect(end.status == 1)
        #expect(
            end.errors.contains(
                "kept: generic password, service \"service\", account \"\\033[2J\", access group \"group\"\n"))
        #expect(end.errors.contains("kept: internet password, server \"example.org\", account"), "\(end)")
        #expect(!end.errors.contains("secret"))
    }

    @Test func lockedKeychain_isUnlockedWithAPasswordThatIsAskedFor() throws {
        try insert(password("anna"), into: store("locked", passphrase: "open"))
        let keychain = ["--keychain", folder.path + "/locked"]
        var end = try security("check", keychain[0], keychain[1], input: "open\n")
        #expect(end.status == 0 && end.output.hasPrefix("generic passwords: 1\n"), "\(end)")
        end = try security("check", keychain[0], keychain[1], input: "wrong\n")
        #expect(end.status == 51)
        end = try security("check", keychain[0], keychain[1])
        #expect(end.status == 36)
        end = try security("rekey", keychain[0], keychain[1], input: "open\n")
        #expect(end.status == 0 && end.errors == "1 items were encrypted again\n", "\(end)")
        #expect(try accounts(store("locked", passphrase: "open")) == ["anna"])
    }

    /// A folder beside the current one is a folder, not the name of a keychain.
    @Test func relativeFolder_isAFolder() throws {
        try insert(password("anna"), into: store("rel2"))
        let check = try Program.built("security", ["check", "--keychain", "embedded:rel2"], adding: home)
        let line = ["-c", "cd \"$0\" && exec \"$@\"", folder.path, check.executable] + check.arguments
        let end = try Program("bash", line, environment: check.environment).run()
        #expect(end.status == 0 && end.output.hasPrefix("generic passwords: 1\n"), "\(end)")
        let empty = try security("check", "--keychain", "embedded:")
        #expect(empty.status != 0, "\(empty)")
    }

    // MARK: Moving

    @Test func move_copies_andDeletesWhenTold() throws {
        try insert(password("anna"), password("bert"), into: store("data/secitem"))
        let target = folder.path + "/other"
        var end = try security("move", "--from", "embedded", "--to", target)
        #expect(end.status == 0 && end.errors.hasSuffix("2 items: 2 added\n"), "\(end)")
        #expect(try accounts(store("data/secitem")) == ["anna", "bert"])
        end = try security("move", "--from", "embedded", "--to", target, "--delete-source")
        #expect(end.status == 0, "\(end)")
        #expect(
            end.errors == """
                2 items were deleted from embedded
                programs find the items there with SECITEM_DIRECTORY=\(target)
                2 items: 2 already there

                """)
        #expect(try accounts(store("data/secitem")) == [] && accounts(store("other")) == ["anna", "bert"])
        end = try security("move", "--from", target, "--to", target + "/", "--delete-source")
        #expect(end.status != 0 && end.errors.contains("the same keychain"))
        #expect(try accounts(store("other")) == ["anna", "bert"])
    }

    @Test func renameApplication_movesAllOrNone() throws {
        try insert(password("anna", group: "old"), password("bert", group: "old"), into: store("data/secitem"))
        var end = try security("rename-application", "old", "new")
        #expect(end.status == 0 && end.errors == "2 items were moved\n")
        end = try security("rename-application", "old", "new")
        #expect(end.status == 44 && end.errors.contains("no items belong to \"old\""), "\(end)")
        try insert(password("anna", group: "old"), password("carl", group: "old"), into: store("data/secitem"))
        end = try security("rename-application", "old", "new")
        #expect(end.status == 45)
        end = try security("rename-application", "old", "")
        #expect(end.status == 2)
        end = try security("rename-application", "old", "old")
        #expect(end.status == 2 && end.errors.contains("nothing has to be moved"), "\(end)")
    }

    // MARK: Looking

    @Test func check_namesWhatIsDamaged() throws {
        try insert(password("anna"), password("bert"), into: store("data/secitem"))
        #expect(
            try security("check").output
                == "generic passwords: 2\ninternet passwords: 0\ncertificates: 0\nkeys: 0\n")
        for refused in [try security("rekey", "--also", "other"), try security("rekey", "--without-damaged")] {
            #expect(refused.status == 2 && refused.errors.contains("are for a PostgreSQL database"), "\(refused)")
        }
        #expect(try security("rekey").errors == "2 items were encrypted again\n")
        #expect(try security("check").status == 0)
    }

    @Test func doctor_saysWhetherAllIsWell() throws {
        try insert(password("anna"), into: store("data/secitem"))
        var end = try security("doctor")
        #expect(end.status == 0, "\(end)")
        #expect(end.output.contains("ok       items: 1 generic passwords, 0 internet passwords"))
        chmod(folder.path + "/data/secitem", 0o755)
        end = try security("doctor", "--json")
        #expect(end.status == 1)
        let report = try #require(
            try JSONSerialization.jsonObject(with: Data(end.output.utf8)) as? [String: Any], "\(end)")
        #expect(report["isWell"] as? Bool == false)
        let findings = try #require(report["findings"] as? [[String: String]])
        let found = findings.first { $0["topic"] == "files" && $0["level"] == "problem" }
        #expect(found?["remedy"]?.contains("chmod go=") == true)
        #expect(!end.output.contains("anna") && !end.output.contains("never shown"))
    }

    @Test func doctor_saysHowToMendWhatOtherCommandsRefuse() throws {
        try insert(password("anna"), into: store("data/secitem"))
        let list = folder.path + "/data/secitem/keychains/list"
        #expect(try security("list-keychains", "-s", "login.keychain").status == 0)
        try "garbage\n".write(toFile: list, atomically: false, encoding: .utf8)
        var end = try security("doctor")
        #expect(end.status == 1, "\(end)")
        #expect(end.output.contains("PROBLEM  keychain-list: \(list) is damaged"), "\(end)")
        #expect(end.output.contains("→ correct or remove that file"), "\(end)")
        unlink(list)
        #expect(try security("doctor").status == 0)
        truncate(folder.path + "/data/secitem/device.key", 3)
        end = try security("doctor")
        #expect(end.status == 1 && end.output.contains("→ restore it from a backup"), "\(end)")
    }

    /// Neither looks at the files in a way that changes them, whatever is in the log.
    @Test func checkAndDoctor_changeNothing() throws {
        #expect(try security("add-generic-password", "-s", "s", "-a", "a", "-w", "x").status == 0)
        // A program that is still running has not moved what it wrote.
        let program = try store("data/secitem")
        try program.insert(password("more"), interaction: .allowed)
        func content(_ name: String) throws -> Data {
            try Data(contentsOf: URL(fileURLWithPath: folder.path + "/data/secitem/" + name))
        }
        let database = try content("items.db"), log = try content("items.db-wal")
        try #require(log.count > 32)
        #expect(try security("doctor").status == 0)
        let end = try security("check")
        #expect(end.status == 0 && end.errors == "", "\(end)")
        #expect(try content("items.db") == database && content("items.db-wal") == log)
        #expect(try security("find-generic-password", "-s", "s", "-w").output == "x\n")
        withExtendedLifetime(program) {}
    }

    @Test func importPasswords_readsAnotherProgramsFile() throws {
        let file = folder.path + "/keyring.cfg"
        try "[mail]\nanna =\n\tc2VjcmV0\nbert =\n\t?\n".write(toFile: file, atomically: false, encoding: .utf8)
        let end = try security("import-passwords", "--from", "python-keyring", file, "--access-group", "mine")
        #expect(end.status == 1 && end.errors.contains("not imported: mail, bert: its password is not in base64"))
        #expect(end.errors.contains("1 items: 1 added"))
        #expect(try accounts(store("data/secitem")) == ["anna"])
    }

    /// Names from another program's file or from the environment cannot control the terminal.
    @Test func controlCharacters_areEscaped() throws {
        let file = folder.path + "/keyring.cfg"
        try "[a_1b_5b2J_0ab]\nanna =\n\t?\n".write(toFile: file, atomically: false, encoding: .utf8)
        let end = try security("import-passwords", "--from", "python-keyring", file)
        #expect(end.status == 1)
        #expect(
            end.errors.hasPrefix("security: not imported: a\\033[2J\\012b, anna: its password is not in base64\n"),
            "\(end.errors)")
        let doctor = try security("doctor", adding: ["SECITEM_NETWORK_FOLDER": "\u{1b}[2J\nok"])
        #expect(doctor.status == 1 && !doctor.output.contains("\u{1b}"))
        #expect(
            doctor.output.contains("SECITEM_NETWORK_FOLDER is \"\\033[2J\\012ok\", which is not one of its values\n"))
    }

    // MARK: Interrupted

    /// If a move is killed at any moment, each item is in at least one keychain, and repeating the move gives the same
    /// result.
    @Test func killedMove_losesNothing() throws {
        let records = (0..<300).map { password("\($0)") }
        let source = try store("data/secitem"), target = try store("other")
        try source.insert(records, interaction: .allowed)
        let all = Set(try accounts(source))
        let command = ["move", "--from", "embedded", "--to", folder.path + "/other", "--delete-source"]
        for round in 0..<15 {
            let move = try Program.built("security", command, adding: home).start()
            usleep(UInt32(30_000 + round * 20_000))
            move.send(round % 2 == 0 ? SIGINT : SIGKILL)
            _ = try move.waitUntilExit()
            #expect(try Set(accounts(source) + accounts(target)) == all, "after \(round)")
        }
        #expect(try Program.built("security", command, adding: home).run().status == 0)
        #expect(try accounts(source) == [])
        #expect(try Set(accounts(target)) == all)
    }

    /// An interrupted backup leaves neither a partial backup nor temporary files.
    @Test func interruptedBackup_leavesNothing() throws {
        try store("data/secitem").insert((0..<300).map { password("\($0)") }, interaction: .allowed)
        try FileManager.default.createDirectory(atPath: folder.path + "/backups", withIntermediateDirectories: false)
        let path = folder.path + "/backups/file"
        let arguments = ["backup", path, "--passphrase-file", folder.path + "/passphrase"]
        for round in 0..<8 {
            let backup = try Program.built("security", arguments, adding: home).start()
            usleep(UInt32(50_000 + round * 150_000))
            backup.send(SIGINT)
            let end = try backup.waitUntilExit()
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/backups")
            #expect(names == (end.status == 0 ? ["file"] : []) || names == ["file"], "\(names) \(end)")
            if names == ["file"] {
                let contents = try Backup.inspect(path, passphrase: Secret(Data("the passphrase".utf8)))
                #expect(contents.count == 300)
                try FileManager.default.removeItem(atPath: path)
            }
        }
    }
}

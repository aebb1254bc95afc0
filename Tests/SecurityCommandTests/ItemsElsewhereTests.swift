// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Maintenance of the default keychain, where programs have their items in another store.
@Suite struct ItemsElsewhereTests {
    private var fixture: CommandFixture
    private var file: String { fixture.folder.path + "/backup" }

    /// As in a cron job: nothing chooses the store, and there is no bus.
    init() throws {
        fixture = try CommandFixture()
        fixture.environment["SECITEM_STORE"] = nil
        try "passphrase\n".write(toFile: fixture.folder.path + "/passphrase", atomically: false, encoding: .utf8)
        chmod(fixture.folder.path + "/passphrase", 0o600)
    }

    /// Adds an item of an application, as a program with those settings does.
    private func add(_ account: String, of application: String, _ variables: [String: String] = [:]) throws {
        var program = fixture
        program.environment["SECITEM_APPLICATION_IDENTIFIER"] = application
        program.environment.merge(variables) { $1 }
        let end = try program.run("add-generic-password", "-s", fixture.prefix, "-a", account, "-w", "secret")
        #expect(end.status == 0, "\(end)")
    }

    /// As a program does whose items went into the Secret Service.
    private func mark(_ application: String, in fixture: CommandFixture? = nil) throws {
        let state = (fixture ?? self.fixture).folder.path + "/state/secitem"
        try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: true)
        try "secret-service\n".write(toFile: "\(state)/\(application).store", atomically: false, encoding: .utf8)
    }

    private func backup(_ more: String...) throws -> FinishedProgram {
        let line = ["backup", file, "--passphrase-file", fixture.folder.path + "/passphrase"] + more
        return try fixture.program(line).run()
    }

    private var bytes: Data { get throws { try Data(contentsOf: URL(fileURLWithPath: file)) } }

    @Test func secretServiceThatDoesNotAnswer_isNotLeftOutOfABackup() throws {
        try add("anna", of: "mail")
        #expect(try backup().status == 0)
        let before = try bytes
        try mark("org%2Eexample%2Echat")
        try add("bert", of: "mail")
        var end = try backup("--replace")
        #expect(end.status == 53, "\(end)")
        #expect(
            end.errors.contains(
                "items of \"org.example.chat\" are in the Secret Service, which --keychain secret-service reads"),
            "\(end)")
        #expect(end.errors.contains("--keychain embedded means the store that was chosen here, alone"), "\(end)")
        #expect(try bytes == before)
        end = try backup("--replace", "--keychain", "default")
        #expect(end.status == 53, "\(end)")
        end = try backup("--replace", "--keychain", "embedded")
        #expect(end.status == 0 && end.errors == "2 items are in \(file)\n", "\(end)")
        end = try fixture.run("check")
        #expect(end.status == 0 && end.output.hasPrefix("generic passwords: 2\n"), "\(end)")
        #expect(
            end.errors
                == "security: note: items of \"org.example.chat\" are in the Secret Service, which --keychain secret-service reads\n"
        )
        #expect(try fixture.run("check", "--keychain", "embedded").errors == "")
        #expect(try fixture.run("-q", "check").errors == "")
    }

    @Test(.enabled(if: PrivateBus.shared != nil))
    func embeddedStoreBesideTheSecretService_isNotLeftOutOfABackup() throws {
        try add("anna", of: "job")
        var desktop = fixture
        let address = "DBUS_SESSION_BUS_ADDRESS"
        desktop.environment[address] = try #require(PrivateBus.shared).environment[address]
        let line = ["backup", file, "--passphrase-file", fixture.folder.path + "/passphrase"]
        var end = try desktop.program(line).run()
        #expect(end.status == 53, "\(end)")
        #expect(
            end.errors.contains("items of \"job\" are in the embedded store in \(fixture.folder.path)/data/secitem"))
        #expect(end.errors.contains("--keychain secret-service means"), "\(end)")
        end = try desktop.run("check")
        #expect(end.errors.contains("note: items of \"job\" are in the embedded store"), "\(end)")
        end = try desktop.run("doctor")
        #expect(end.output.contains("\"job\" may have items in the embedded store in"), "\(end)")
    }

    /// What was moved or deleted leaves its mark: nothing is missing from a backup without it.
    @Test func storeThatIsEmptyOrGone_isNoReasonToFail() throws {
        let other = fixture.folder.path + "/other"
        try add("anna", of: "mail")
        try add("bert", of: "job", ["SECITEM_DIRECTORY": other])
        var end = try backup()
        #expect(end.status == 53, "\(end)")
        #expect(
            end.errors.contains("\"job\" are in the embedded store in \(other), which --keychain embedded:\(other)"))
        end = try fixture.run("move", "--from", other, "--to", "embedded", "--delete-source")
        #expect(end.status == 0, "\(end)")
        end = try backup()
        #expect(end.status == 0 && end.errors == "2 items are in \(file)\n", "\(end)")
        try add("cleo", of: "old", ["SECITEM_DIRECTORY": other])
        try FileManager.default.removeItem(atPath: other)
        end = try backup("--replace")
        #expect(end.status == 0, "\(end)")
        #expect(
            end.errors.hasPrefix(
                "security: note: items of \"old\" were in the embedded store in \(other), where there is no keychain now\n"
            ),
            "\(end)")
        end = try fixture.run("doctor")
        #expect(end.status == 0 && end.output.contains("warning  programs: \"old\" had items in"), "\(end)")
    }

    /// Programs' items that were moved into a folder are not left out of a later backup in silence.
    @Test func itemsMovedIntoAFolder_areNotLeftOutOfABackup() throws {
        let other = fixture.folder.path + "/other"
        try add("anna", of: "mail")
        var end = try fixture.run("move", "--from", "embedded", "--to", "embedded:" + other, "--delete-source")
        #expect(end.status == 0, "\(end)")
        end = try backup()
        #expect(end.status == 53 && end.errors.contains("\"mail\" are in the embedded store in \(other)"), "\(end)")
        end = try backup("--keychain", "embedded:" + other)
        #expect(end.status == 0 && end.errors == "1 items are in \(file)\n", "\(end)")
    }

    /// A command that was given another folder once does not look for its items there later.
    @Test(arguments: ["restore", "import-passwords"]) func folderThatWasNamedOnce_isNotTakenForTheOwn(_ verb: String)
        throws
    {
        let other = fixture.folder.path + "/other", passwords = fixture.folder.path + "/keyring.cfg"
        try add("anna", of: "")
        #expect(try backup().status == 0)
        try "[mail]\nbert =\n\tc2VjcmV0\n".write(toFile: passwords, atomically: false, encoding: .utf8)
        let line =
            verb == "restore"
            ? [verb, file, "--passphrase-file", fixture.folder.path + "/passphrase"]
            : [verb, "--from", "python-keyring", passwords]
        var end = try fixture.program(line + ["--keychain", "embedded:" + other]).run()
        #expect(end.status == 0, "\(end)")
        end = try backup("--replace")
        #expect(end.status == 0, "\(end)")
    }

    // MARK: A login keychain that cannot be read

    /// What programs are told to use is never replaced by the user's own store, of which the items may be older.
    @Test(arguments: ["SECITEM_DIRECTORY", "SECITEM_SYNCHRONIZABLE"])
    func chosenStoreThatCannotBeOpened_isNotReplaced(_ variable: String) throws {
        let folder = fixture.folder.path, isFolder = variable == "SECITEM_DIRECTORY"
        try add("anna", of: "app")
        var chosen = fixture
        chosen.environment[variable] = isFolder ? folder + "/chosen" : "nowhere"
        if isFolder {
            try add("anna", of: "app", [variable: folder + "/chosen"])
            #expect(chmod(folder + "/chosen", 0o755) == 0)
        }
        let same = ["-s", fixture.prefix, "-a", "anna"]
        let lines = [
            ["find-generic-password"] + same + ["-w"], ["delete-generic-password"] + same, ["dump-keychain"],
            ["find-certificate", "-a"], ["find-identity"],
        ]
        for line in lines {
            let end = try chosen.program(line).run()
            #expect(end.status == 53 && end.output == "", "\(line): \(end)")
        }
        #expect(try fixture.run("find-generic-password", "-s", fixture.prefix).status == 0)
    }

    /// Without its bus, the Secret Service may have the item that is meant.
    @Test func secretServiceThatDoesNotAnswer_protectsTheItemsBehindIt() throws {
        try add("anna", of: "app")
        try mark("security")
        let same = ["-s", fixture.prefix, "-a", "anna"]
        var end = try fixture.program(["delete-generic-password"] + same).run()
        #expect(end.status == 53 && end.output == "" && end.errors.contains("nothing was deleted"), "\(end)")
        end = try fixture.program(["find-generic-password"] + same).run()
        #expect(end.status == 0 && end.errors.hasPrefix("security: login.keychain: "), "\(end)")
        end = try fixture.program(["delete-generic-password"] + same + [fixture.folder.path + "/data/secitem"]).run()
        #expect(end.status == 0, "\(end)")
    }

    @Test func backupWithItems_isNotReplacedByOneWithout() throws {
        #expect(try backup().status == 0)
        // Nor is anything lost.
        #expect(try backup("--replace").status == 0)
        try add("anna", of: "mail")
        #expect(try backup("--replace").errors == "1 items are in \(file)\n")
        let before = try bytes
        #expect(try fixture.run("delete-generic-password", "-a", "anna").status == 0)
        for more in [[], ["--keychain", "embedded"]] {
            let line = ["backup", file, "--replace", "--passphrase-file", fixture.folder.path + "/passphrase"] + more
            let end = try fixture.program(line).run()
            #expect(end.status == 45 && end.errors.contains("would have 0 items: --allow-empty replaces it"), "\(end)")
            #expect(try bytes == before)
        }
        #expect(try backup("--replace", "--allow-empty").errors == "0 items are in \(file)\n")
    }

    /// A snap's terminal changes the folder for data. The item is where it was, and the command says so, and what finds it.
    @Test(arguments: [true, false]) func itemInAnotherStore_isHintedAt(_ isRecorded: Bool) throws {
        var usual = fixture, snap = fixture
        usual.environment["XDG_DATA_HOME"] = nil
        snap.environment["XDG_DATA_HOME"] = fixture.folder.path + "/snap/data"
        let item = ["-s", fixture.prefix, "-a", "anna"]
        #expect(try usual.program(["add-generic-password", "-w", "secret"] + item).run().status == 0)
        if !isRecorded { try FileManager.default.removeItem(atPath: fixture.folder.path + "/state") }
        let store = fixture.folder.path + "/.local/share/secitem"
        let hint =
            "security: note: a matching item is in the embedded store in \(store), which SECITEM_DIRECTORY=\(store) chooses\n"
        for command in [["find-generic-password"], ["find-generic-password", "-w"]] {
            let end = try snap.program(command + item).run()
            #expect(end.status == 44 && end.output == "" && end.errors.contains(hint), "\(end)")
        }
        let doctor = try snap.run("doctor")
        #expect(doctor.output.contains("this user has items in the embedded store in \(store) too") != isRecorded)
        #expect(doctor.output.contains("\"security\" may have items in the embedded store in \(store)") == isRecorded)
        // Nothing is said of other items, to whoever wants no notes, or of a keychain that was named.
        for line in [
            ["find-generic-password", "-s", fixture.prefix, "-a", "bert"], ["-q", "find-generic-password"] + item,
            ["find-internet-password", "-a", "anna"], ["find-certificate"], ["find-key"],
        ] {
            let end = try snap.program(line).run()
            #expect(end.status == 44 && !end.errors.contains("note:"), "\(line) \(end)")
        }
        #expect(try snap.run("create-keychain", "-p", "pw", "named").status == 0)
        let named = try snap.program(["find-generic-password"] + item + ["named"]).run()
        #expect(named.status == 44 && !named.errors.contains("note:"), "\(named)")
        snap.environment["SECITEM_DIRECTORY"] = store
        #expect(try snap.program(["find-generic-password", "-w"] + item).run().output == "secret\n")
        #expect(!FileManager.default.fileExists(atPath: fixture.folder.path + "/snap/data/secitem/items.db"))
    }

    /// The remedy for a locked keyring is to unlock it: a passphrase file would choose another, empty store.
    @Test(.enabled(if: PrivateBus.isGnomeKeyring)) func lockedKeyring_isToBeUnlocked() throws {
        let world = try PrivateBus()
        var fixture = try CommandFixture()
        fixture.environment.merge(world.variables) { $1 }
        fixture.environment["SECITEM_STORE"] = nil
        #expect(try fixture.run("add-generic-password", "-s", "a", "-a", "b", "-w", "c").status == 0)
        try world.run("lock")
        let doctor = try fixture.run("doctor")
        #expect(doctor.output.contains("1 items are locked\n         → unlock the keyring"), "\(doctor)")
        #expect(!doctor.output.contains("SECITEM_PASSPHRASE_FILE"), "\(doctor)")
    }

    @Test func doctor_namesProgramsWhoseStoreDoesNotAnswer() throws {
        try add("anna", of: "mail")
        #expect(try fixture.run("doctor").status == 0)
        try mark("chat")
        try mark("srv")
        try add("bert", of: "job", ["SECITEM_DIRECTORY": fixture.folder.path + "/other"])
        truncate(fixture.folder.path + "/other/device.key", 3)
        let end = try fixture.run("doctor")
        #expect(end.status == 1, "\(end)")
        for name in ["chat", "srv"] {
            #expect(
                end.output.contains("PROBLEM  programs: \"\(name)\" has items in the Secret Service, which does not"))
            #expect(end.output.contains("delete \(fixture.folder.path)/state/secitem/\(name).store\n"))
        }
        #expect(end.output.contains("PROBLEM  programs: \"job\" has items in the embedded store in"), "\(end)")
        #expect(end.output.contains("ok       programs: \"mail\" may have items in the embedded store in"), "\(end)")
    }

    @Test func doctor_saysWhereTheIdentifierComesFrom() throws {
        let end = try fixture.run("doctor", "--application", "srv")
        #expect(end.status == 0 && end.output.contains("under \"srv\" (from --application)"), "\(end)")
    }
}

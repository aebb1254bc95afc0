// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemSQLite
import SecItemSealing
import SecItemStore
import TestSupport
import Testing

@testable import SecurityCommand

/// Named keychains: their list and their locks.
@Suite struct KeychainCommandTests {
    @Test func list_beginsWithLoginKeychain() throws {
        let fixture = try CommandFixture()
        let login = "    \"HOME/data/secitem\"\n"
        #expect(try fixture.golden("list-keychains") == login)
        #expect(try fixture.golden("default-keychain") == login)
        #expect(try fixture.golden("login-keychain", "-d", "user") == login)
        #expect(try fixture.run("list-keychains", "-d", "system").status == 2)
    }

    @Test func newKeychain_isUnlockedAndInTheList() throws {
        let fixture = try CommandFixture()
        #expect(try fixture.run("create-keychain", "-p", "pw", "build.keychain").status == 0)
        #expect(
            try fixture.golden("list-keychains") == """
                    "HOME/data/secitem"
                    "HOME/data/secitem/keychains/build.keychain-db"

                """)
        #expect(try fixture.run("add-generic-password", "-s", "s", "-a", "a", "-w", "x", "build.keychain").status == 0)
        #expect(try fixture.run("find-generic-password", "-s", "s", "-w").output == "x\n")
        #expect(try fixture.run("find-generic-password", "-s", "s", "login.keychain").status == 44)
        let again = try fixture.run("create-keychain", "-p", "other", "build.keychain")
        #expect(again.status == 48)
        #expect(try fixture.run("find-generic-password", "-s", "s", "-w", "build.keychain-db").output == "x\n")
    }

    /// Scripts make a keychain by its name and then use its path on a Mac, or the other way round.
    @Test func pathOnAMac_isTheBareName() throws {
        let fixture = try CommandFixture()
        let folder = fixture.folder.path + "/Library/Keychains"
        try fixture.makeKeychain("ios.keychain")
        for name in ["ios.keychain", "ios.keychain-db"] {
            #expect(try fixture.run("show-keychain-info", "\(folder)/\(name)").status == 0)
        }
        #expect(try fixture.run("create-keychain", "-p", "pw", "\(folder)/second.keychain").status == 0)
        #expect(try fixture.run("show-keychain-info", "second.keychain").status == 0)
        #expect(try fixture.run("delete-keychain", "\(folder)/second.keychain-db").status == 0)
        #expect(!FileManager.default.fileExists(atPath: fixture.path(of: "second.keychain")))
        // The keychains of the system are not the user's. Neither are folders with similar names.
        for other in ["/Library/Keychains", "/System/Library/Keychains", "\(fixture.folder.path)/Keychains"] {
            #expect(try fixture.run("show-keychain-info", "\(other)/ios.keychain").status == 50)
        }
    }

    /// Scripts look for the authorities of a Mac there.
    @Test(arguments: [
        "/Library/Keychains/System.keychain", "/System/Library/Keychains/SystemRootCertificates.keychain",
    ])
    func systemKeychainOfAMac_isSaidToBeElsewhere(_ path: String) throws {
        let end = try CommandFixture().run("find-certificate", "-a", "-p", path)
        #expect(end.status == 50 && end.output.isEmpty)
        #expect(end.errors.contains("The specified keychain could not be found."))
        #expect(end.errors.contains("/etc/ssl/certs/ca-certificates.crt"), "\(end)")
    }

    @Test func keychainAtThePathItself_isMeant() throws {
        let fixture = try CommandFixture()
        let path = fixture.folder.path + "/Library/Keychains/k"
        try fixture.makeKeychain("k")
        let secret = Secret(Data("other".utf8))
        try FileManager.default.createDirectory(atPath: path + "-db", withIntermediateDirectories: true)
        chmod(path + "-db", 0o700)
        _ = try SQLiteStore(
            location: StoreLocation(folder: path + "-db"),
            protector: PassphraseProtector(sources: [.closure { secret }], cost: .lowest), cache: .none)
        #expect(try fixture.run("unlock-keychain", "-p", "pw", path).status == 51)
        #expect(try fixture.run("unlock-keychain", "-p", "other", path).status == 0)
    }

    /// All spellings of a path mean the same keychain.
    @Test func spellings_areOneKeychain() throws {
        let fixture = try CommandFixture()
        let folder = fixture.folder.path
        try FileManager.default.createDirectory(atPath: folder + "/sub", withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(atPath: folder + "/link", withDestinationPath: folder)
        try fixture.run("create-keychain", "-p", "pw", folder + "/k")
        let list = try fixture.golden("list-keychains")
        #expect(list.contains("HOME/k-db"))
        let spellings = ["/./k", "//k/", "/sub/../k", "/sub/.././/k-db", "/link/k", "/missing/../k"]
        for spelling in spellings {
            #expect(try fixture.run("create-keychain", "-p", "pw", folder + spelling).status == 48, "\(spelling)")
        }
        let all = ["list-keychains", "-s", "login.keychain"] + spellings.map { folder + $0 }
        #expect(try fixture.program(all).run().status == 0)
        #expect(try fixture.golden("list-keychains") == list)
        let relative = Program(
            "/bin/sh", ["-c", "cd '\(folder)/sub' && '\(try fixture.program([]).executable)' delete-keychain ../k"],
            environment: fixture.environment)
        #expect(try relative.run().status == 0)
        #expect(try fixture.golden("list-keychains") == "    \"HOME/data/secitem\"\n")
        for name in ["..", "./.", folder + "/..", "/", "//", "a\r\nb"] {
            #expect(try fixture.run("create-keychain", "-p", "pw", name).status == 2, "\(name)")
        }
    }

    /// `link/..` is where the system goes, not where the text seems to lead: another keychain may be there.
    @Test func linksInPaths_leadWhereTheSystemGoes() throws {
        let fixture = try CommandFixture()
        let folder = fixture.folder.path
        for path in ["real", "real/deep", "real/store", "store"] {
            #expect(mkdir("\(folder)/\(path)", 0o700) == 0)
        }
        symlink(folder + "/real/deep", folder + "/link")
        func services(_ store: String) throws -> [String] {
            var fixture = fixture
            fixture.environment["SECITEM_DIRECTORY"] = "\(folder)/\(store)"
            return try fixture.run("dump-keychain").lines.filter { $0.contains("svce") }
        }
        for store in ["store", "real/store"] {
            var fixture = fixture
            fixture.environment["SECITEM_DIRECTORY"] = "\(folder)/\(store)"
            try fixture.program(["add-generic-password", "-a", "a", "-s", store, "-w", "x"]).output()
        }
        let moved = try fixture.run(
            "move", "--from", folder + "/link/../store", "--to", "embedded:\(folder)/link/../target", "--delete-source")
        #expect(moved.status == 0, "\(moved)")
        #expect(try services("store").count == 1 && services("real/store").isEmpty)
        #expect(try services("real/target") == ["    \"svce\"<blob>=\"real/store\""])
        #expect(!FileManager.default.fileExists(atPath: folder + "/target"))
    }

    /// In a folder that is gone, a relative path leads nowhere, and not to the root. Names work.
    @Test func relativePath_inAFolderThatIsGone_isAnError() throws {
        let fixture = try CommandFixture()
        try fixture.makeKeychain("k")
        let list = try fixture.golden("list-keychains")
        func run(_ line: String) throws -> FinishedProgram {
            let folder = fixture.folder.path + "/gone"
            mkdir(folder, 0o700)
            let script = "cd '\(folder)' && rmdir '\(folder)' && exec '\(try fixture.program([]).executable)' \(line)"
            return try Program("/bin/sh", ["-c", script], environment: fixture.environment).run()
        }
        for line in ["list-keychains -s ./x", "check --keychain ./x", "move --from k --to embedded:./x"] {
            let failed = try run(line)
            #expect(failed.status == 53 && failed.errors.contains("the current folder"), "\(line): \(failed)")
        }
        #expect(try fixture.golden("list-keychains") == list)
        #expect(try run("show-keychain-info k").status == 0)
    }

    /// The name of the login keychain means it alone, or where a Mac has it. A path elsewhere is a keychain of its own.
    @Test func pathThatEndsAsTheLoginKeychain_isNotIt() throws {
        let fixture = try CommandFixture()
        let folder = fixture.folder.path
        for path in ["/login.keychain", "/nowhere/login.keychain-db", "/Keychains/login"] {
            let add = ["add-generic-password", "-a", "a", "-s", "s", "-w", "x", folder + path]
            #expect(try fixture.program(add).run().status == 50, "\(path)")
        }
        #expect(try fixture.run("dump-keychain").output.isEmpty)
        let mac = folder + "/Library/Keychains/login.keychain-db"
        #expect(try fixture.run("add-generic-password", "-a", "a", "-s", "s", "-w", "x", mac).status == 0)
        #expect(try fixture.run("find-generic-password", "-s", "s", "-w", "login.keychain").output == "x\n")
    }

    /// For the system, a letter with an accent and a letter followed by an accent are two names.
    @Test func namesThatLookAlike_areTwoKeychains() throws {
        let fixture = try CommandFixture()
        let one = "caf\u{e9}", other = "cafe\u{301}"
        for name in [one, other] {
            try fixture.program(["create-keychain", "-p", "pw", name]).output()
            try fixture.program(["add-generic-password", "-a", "a", "-s", "s", "-w", "x", name]).output()
        }
        #expect(try fixture.run("list-keychains").lines.count == 3)
        try fixture.program(["set-keychain-settings", "-t", "77", one]).output()
        #expect(try fixture.run("show-keychain-info", one).errors.contains("timeout=77s"))
        #expect(try fixture.run("show-keychain-info", other).errors.contains("timeout=300s"))
        #expect(try fixture.run("move", "--from", one, "--to", other).errors == "1 items: 1 already there\n")
        try fixture.program(["delete-keychain", other]).output()
        #expect(try fixture.run("find-generic-password", "-s", "s", "-w").output == "x\n")
    }

    /// A disk that fills up may end the command when there is a keychain already: that is in the list then.
    @Test(.enabled(if: SmallDisk.isAvailable))
    func fullDisk_leavesNoKeychainOutOfTheList() throws {
        let fixture = try CommandFixture()
        let disk = fixture.folder.path + "/disk"
        mkdir(disk, 0o700)
        let script = """
            for size in 48 52 56; do
                mount -t tmpfs -o size=${size}k,mode=700 tmpfs "$1" || exit 1
                "$0" create-keychain -p pw "$1/k$size" && exit 3
                [ ! -e "$1/k$size-db/items.db" ] || "$0" list-keychains | grep -q "$1/k$size-db" || exit $size
                umount "$1"
            done
            """
        let end = try SmallDisk.run(script, fixture.program([]).executable, disk, in: fixture.environment)
        #expect(end.status == 0, "\(end)")
    }

    /// The doctor says so if a keychain can be read but not changed.
    @Test(.enabled(if: SmallDisk.isAvailable))
    func keychainThatCannotBeChanged_isSaid() throws {
        var fixture = try CommandFixture()
        let disk = fixture.folder.path + "/disk"
        mkdir(disk, 0o700)
        fixture.environment["SECITEM_DIRECTORY"] = disk + "/k"
        let script = """
            mount -t tmpfs -o size=400k,mode=700 tmpfs "$1" || exit 1
            "$0" add-generic-password -s s -a a -w x || exit 2
            "$0" doctor | grep -qE "not changed|not be changed" && exit 3
            head -c 400k /dev/zero >"$1/rest"
            "$0" doctor | grep "warning  files: the file system of $1/k is full" || exit 4
            rm "$1/rest"
            mount -o remount,ro "$1" || exit 5
            "$0" doctor | grep -A 1 "warning  files: $1/k cannot be written" | grep "mount it for writing" || exit 6
            "$0" find-generic-password -s s -w
            """
        let end = try SmallDisk.run(script, fixture.program([]).executable, disk, in: fixture.environment)
        #expect(end.status == 0 && end.lines.last == "x", "\(end)")
    }

    /// If making a keychain is interrupted, no keychain is left outside the list.
    @Test func interruptedCreation_leavesNoKeychainOutOfTheList() throws {
        let fixture = try CommandFixture()
        let command = try fixture.program(["create-keychain", "-p", "pw", "k"]).start()
        while command.isRunning, !FileManager.default.fileExists(atPath: fixture.path(of: "k") + "/items.db") {
            usleep(1000)
        }
        kill(command.processIdentifier, SIGKILL)
        _ = try command.waitUntilExit()
        #expect(try fixture.golden("list-keychains").contains("keychains/k-db"))
        let again = try fixture.run("create-keychain", "-p", "pw", "k")
        #expect(again.status == 48 && again.errors.contains("unlock-keychain"))
        #expect(try fixture.run("unlock-keychain", "-p", "pw", "k").status == 0)
    }

    @Test func creationsAtOnce_makeOneKeychain() throws {
        let fixture = try CommandFixture()
        let running = try ["a", "b", "c"].map { password in
            try fixture.program(["create-keychain", "-p", password, "k"]).start()
        }
        #expect(try running.map { try $0.waitUntilExit().status }.sorted() == [0, 48, 48])
        #expect(try fixture.golden("list-keychains").components(separatedBy: "k-db").count == 2)
    }

    @Test func creationThatFails_leavesTheListAsItWas() throws {
        let fixture = try CommandFixture()
        try fixture.makeKeychain("k")
        let list = try fixture.golden("list-keychains")
        let file = fixture.folder.path + "/file"
        try "".write(toFile: file, atomically: true, encoding: .utf8)
        #expect(try fixture.run("create-keychain", "-p", "pw", file + "/new").status != 0)
        #expect(try fixture.golden("list-keychains") == list)
    }

    /// A login keychain without a password is always open. Commands that need no more succeed, and say so.
    @Test func loginKeychainWithoutPassword_isNeverLocked() throws {
        let fixture = try CommandFixture()
        let partitions = ["set-generic-password-partition-list", "-S", "apple:", "-s", "s"]
        try fixture.run("add-generic-password", "-s", "s", "-a", "a", "-w", "x")
        for line in [
            ["show-keychain-info"], ["set-keychain-settings"], ["set-keychain-settings", "login.keychain"],
            ["unlock-keychain", "-p", "", "login.keychain-db"], partitions + ["-k", ""],
        ] {
            let result = try fixture.program(line).run()
            #expect(result.status == 0 && result.errors.contains("has no password and is never locked"), "\(line)")
        }
        #expect(try fixture.run("show-keychain-info").errors.contains("data/secitem\" no-timeout\n"))
        // Locking such a keychain fails, and so does a password for it.
        for line in [
            ["unlock-keychain", "-p", "x", "login.keychain"], ["lock-keychain"], ["set-keychain-settings", "-l"],
            ["set-keychain-settings", "-lut", "3600", "login.keychain"], partitions + ["-k", "x"],
        ] {
            let result = try fixture.program(line).run()
            #expect(result.status == 252 && result.errors.contains("use create-keychain"), "\(line)")
        }
    }

    @Test func lock_takesEverythingAwayAtOnceAndUnlockGivesItBack() throws {
        let fixture = try CommandFixture()
        try fixture.makeKeychain("k")
        try fixture.run("add-generic-password", "-s", "s", "-a", "a", "-w", "x", "k")
        #expect(try fixture.run("lock-keychain", "k").status == 0)
        let locked = try fixture.run("find-generic-password", "-s", "s", "-w", "k")
        #expect(locked.status == 36)
        let reason = "\(fixture.path(of: "k")) is locked: unlock-keychain opens it"
        let message = "User interaction is not allowed. (\(reason))\n"
        #expect(locked.errors == "security: SecKeychainSearchCopyNext: \(message)")
        #expect(locked.output.isEmpty)
        #expect(try fixture.run("add-generic-password", "-s", "t", "-a", "a", "-w", "x", "k").status == 36)
        #expect(try fixture.run("show-keychain-info", "k").status == 36)
        let wrong = try fixture.run("unlock-keychain", "-p", "wrong", "k")
        #expect(wrong.status == 51)
        #expect(wrong.errors.contains("The user name or passphrase you entered is not correct."))
        #expect(try fixture.run("find-generic-password", "-s", "s", "-w", "k").status == 36)
        #expect(try fixture.run("unlock-keychain", "k", input: "pw\n").status == 0)
        #expect(try fixture.run("find-generic-password", "-s", "s", "-w", "k").output == "x\n")
        #expect(try fixture.run("lock-keychain", "-a").status == 0)
        #expect(try fixture.run("find-generic-password", "-s", "s", "-w", "k").status == 36)
    }

    /// A setting that is wrong keeps the login keychain from being read. What another keychain has may be older, and the
    /// command says so.
    @Test func loginKeychainThatCannotBeOpened_isSaidWhereAnotherHasTheItem() throws {
        var fixture = try CommandFixture()
        try fixture.makeKeychain("k")
        try fixture.run("add-generic-password", "-s", "s", "-a", "a", "-w", "x", "k")
        #expect(try fixture.run("find-generic-password", "-s", "s", "-w").errors.isEmpty)
        fixture.environment["SECITEM_SYNCHRONIZABLE"] = "nowhere"
        let end = try fixture.run("find-generic-password", "-s", "s", "-w")
        #expect(end.status == 0 && end.output == "x\n")
        #expect(end.errors.components(separatedBy: "SECITEM_SYNCHRONIZABLE is").count == 2, "\(end)")
        #expect(end.errors.hasPrefix("security: login.keychain: ") && end.lines.count == 1, "\(end)")
    }

    /// If an item is not found elsewhere, it may be in a locked keychain of the list. The command says so.
    @Test func lockedKeychainInTheList_isNotPassedOverInSilence() throws {
        let fixture = try CommandFixture()
        try fixture.makeKeychain("k")
        try fixture.run("add-generic-password", "-s", "inside", "-a", "a", "-w", "x", "k")
        try fixture.run("lock-keychain", "k")
        try fixture.run("add-generic-password", "-s", "s", "-a", "a", "-w", "x")
        #expect(try fixture.run("find-generic-password", "-s", "s", "-w").output == "x\n")
        #expect(try fixture.run("find-generic-password", "-s", "other").status == 36)
    }

    @Test func lockedKeychain_asksOnATerminal() throws {
        let fixture = try CommandFixture()
        try fixture.makeKeychain("k")
        try fixture.run("add-generic-password", "-s", "s", "-a", "a", "-w", "inside", "k")
        try fixture.run("lock-keychain", "k")
        let terminal = try fixture.onTerminal("find-generic-password", "-s", "s", "-w", "k")
        try terminal.waitFor("password to unlock ")
        try terminal.waitFor(echo: false)
        terminal.type("pw\n")
        #expect(try terminal.waitUntilExit() == 0)
        #expect(terminal.screen.contains("inside"))
        // The password unlocks the keychain only for that command.
        #expect(try fixture.run("find-generic-password", "-s", "s", "-w", "k").status == 36)
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func signalWhileUnlocking_leavesItLocked(_ signal: Int32) throws {
        let fixture = try CommandFixture()
        try fixture.makeKeychain("k")
        try fixture.run("lock-keychain", "k")
        for command in [["unlock-keychain", "k"], ["set-keychain-password", "k"], ["create-keychain", "new"]] {
            let terminal = try TerminalSession(fixture.program(command))
            try terminal.waitFor(echo: false)
            kill(terminal.processIdentifier, signal)
            #expect(try terminal.waitUntilExit() == -signal)
            #expect(terminal.echoes)
        }
        #expect(try fixture.run("show-keychain-info", "k").status == 36)
        #expect(try fixture.run("unlock-keychain", "-p", "pw", "k").status == 0)
        #expect(!FileManager.default.fileExists(atPath: fixture.path(of: "new")))
    }

    @Test func settings_areKeptAndShown() throws {
        let fixture = try CommandFixture()
        try fixture.makeKeychain("k")
        func info() throws -> String {
            try fixture.run("show-keychain-info", "k").errors.replacingOccurrences(
                of: fixture.path(of: "k"), with: "K")
        }
        #expect(try info() == "Keychain \"K\" lock-on-sleep timeout=300s\n")
        #expect(try fixture.run("set-keychain-settings", "-lut", "21600", "k").status == 0)
        #expect(try info() == "Keychain \"K\" lock-on-sleep timeout=21600s\n")
        #expect(try fixture.run("set-keychain-settings", "-t", "3600", "k").status == 0)
        #expect(try info() == "Keychain \"K\" timeout=3600s\n")
        #expect(try fixture.run("set-keychain-settings", "k").status == 0)
        #expect(try info() == "Keychain \"K\" no-timeout\n")
        // Build scripts use this form to set no time limit.
        #expect(try fixture.run("set-keychain-settings", "-t", "3600", "k").status == 0)
        let withoutTime = try fixture.run("set-keychain-settings", "-lu", "k")
        #expect(withoutTime.status == 0 && withoutTime.errors.contains("-u has no effect"))
        #expect(try info() == "Keychain \"K\" lock-on-sleep no-timeout\n")
        try fixture.run("lock-keychain", "k")
        #expect(try fixture.run("set-keychain-settings", "-t", "1", "k").status == 36)
    }

    /// A keychain that locks immediately after the unlock could not be used.
    @Test func timeoutOfZero_isRefused() throws {
        let fixture = try CommandFixture()
        try fixture.makeKeychain("k")
        #expect(try fixture.run("set-keychain-settings", "-ut", "0", "k").status == 2)
        #expect(try fixture.run("show-keychain-info", "k").errors.contains("timeout=300s"))
    }

    @Test func password_isChangedWithTheOldOneAlone() throws {
        let fixture = try CommandFixture()
        try fixture.makeKeychain("k", password: "old")
        #expect(try fixture.run("set-keychain-password", "-o", "wrong", "-p", "new", "k").status == 51)
        #expect(try fixture.run("set-keychain-password", "k", input: "old\nnew\n").status == 0)
        try fixture.run("lock-keychain", "k")
        #expect(try fixture.run("unlock-keychain", "-p", "old", "k").status == 51)
        #expect(try fixture.run("unlock-keychain", "-p", "new", "k").status == 0)
    }

    @Test func partitionList_checksThePasswordAndShowsTheItem() throws {
        let fixture = try CommandFixture()
        try fixture.makeKeychain("k")
        try fixture.run("add-generic-password", "-s", "s", "-a", "a", "-w", "x", "k")
        let set = ["set-generic-password-partition-list", "-s", "s", "-S", "apple:", "-k"]
        #expect(try fixture.program(set + ["wrong", "k"]).run().status == 51)
        let shown = try fixture.program(set + ["pw", "k"]).run()
        #expect(shown.status == 0 && shown.output.contains("\"svce\"<blob>=\"s\""))
        #expect(try fixture.run("set-internet-password-partition-list", "-S", "", "-k", "pw", "k").status == 44)
    }

    @Test func emptyPassword_isAPassword() throws {
        let fixture = try CommandFixture()
        #expect(try fixture.run("create-keychain", "-p", "", "k").status == 0)
        try fixture.run("lock-keychain", "k")
        #expect(try fixture.run("show-keychain-info", "k").status == 36)
        #expect(try fixture.run("unlock-keychain", "-p", "x", "k").status == 51)
        #expect(try fixture.run("unlock-keychain", "-p", "", "k").status == 0)
    }

    @Test func deletion_takesTheKeychainAndNothingElse() throws {
        let fixture = try CommandFixture()
        try fixture.makeKeychain("a")
        try fixture.makeKeychain("b")
        try fixture.run("default-keychain", "-s", "a")
        let other = fixture.path(of: "a") + "/notes.txt"
        try "mine".write(toFile: other, atomically: true, encoding: .utf8)
        #expect(try fixture.run("delete-keychain", "a").status == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.path(of: "a")) == ["notes.txt"])
        #expect(try fixture.golden("default-keychain") == "    \"HOME/data/secitem\"\n")
        #expect(try fixture.run("delete-keychain", "a").status == 50)
        #expect(try fixture.run("delete-keychain", "login.keychain").status == 1)
        #expect(try fixture.run("delete-keychain", "b").status == 0)
        #expect(!FileManager.default.fileExists(atPath: fixture.path(of: "b")))
        #expect(try fixture.golden("list-keychains") == "    \"HOME/data/secitem\"\n")
    }

    /// Whatever a deletion that was interrupted has left, it can be repeated, and the name is free then.
    @Test func interruptedDeletion_canBeRepeated() throws {
        let fixture = try CommandFixture()
        let location = StoreLocation(folder: fixture.path(of: "k"))
        // The key goes first, and the database last.
        for gone in [["device.key"], ["device.key", "items.db-wal"], ["device.key", "items.db-wal", "items.db-shm"]] {
            try fixture.makeKeychain("k")
            for name in gone { unlink("\(location.folder)/\(name)") }
            #expect(try fixture.run("delete-keychain", "k").status == 0, "\(gone)")
            #expect(!FileManager.default.fileExists(atPath: location.folder))
            #expect(try fixture.golden("list-keychains") == "    \"HOME/data/secitem\"\n")
        }
        try fixture.makeKeychain("k")
        let files = try FileManager.default.contentsOfDirectory(atPath: location.folder)
        // Killed as soon as the first file is gone.
        let command = try fixture.program(["delete-keychain", "k"]).start()
        while command.isRunning, access(location.keyFilePath, F_OK) == 0 {}
        kill(command.processIdentifier, SIGKILL)
        _ = try command.waitUntilExit()
        #expect(try [0, 50].contains(fixture.run("delete-keychain", "k").status), "\(files)")
        #expect(try fixture.run("create-keychain", "-p", "new", "k").status == 0)
    }

    /// A deletion takes turns with what makes keychains: the new one's files are not deleted with the old one's.
    @Test func deletion_waitsForWhoChangesTheList() throws {
        let fixture = try CommandFixture()
        try fixture.makeKeychain("k")
        let file = KeychainListFile(folder: fixture.folder.path + "/data/secitem/keychains")
        let lock = try #require(realpath("\(fixture.folder.path)/data/secitem/keychains/list.lock", nil))
        defer { free(lock) }
        let running = try file.exclusively { _ in
            let command = try fixture.program(["delete-keychain", "k"]).start()
            let descriptors = "/proc/\(command.processIdentifier)/fd"
            func isWaiting() -> Bool {
                let names = (try? FileManager.default.contentsOfDirectory(atPath: descriptors)) ?? []
                return names.contains { name in
                    (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(descriptors)/\(name)"))
                        == String(cString: lock)
                }
            }
            while command.isRunning, !isWaiting() { usleep(1000) }
            #expect(access(fixture.path(of: "k") + "/device.key", F_OK) == 0)
            #expect(access(fixture.path(of: "k") + "/items.db", F_OK) == 0)
            return command
        }
        #expect(try running.waitUntilExit().status == 0)
        #expect(!FileManager.default.fileExists(atPath: fixture.path(of: "k")))
    }

    @Test func defaultKeychain_getsNewItems() throws {
        let fixture = try CommandFixture()
        let place = fixture.folder.path + "/elsewhere.keychain"
        try fixture.run("create-keychain", "-p", "pw", place)
        #expect(try fixture.run("default-keychain", "-d", "user", "-s", place).status == 0)
        #expect(try fixture.golden("default-keychain") == "    \"HOME/elsewhere.keychain-db\"\n")
        try fixture.run("add-generic-password", "-s", "s", "-a", "a", "-w", "x")
        #expect(try fixture.run("find-generic-password", "-s", "s", "-w", place).output == "x\n")
        #expect(try fixture.run("default-keychain", "-s", "nowhere").status == 50)
        #expect(try fixture.run("list-keychains", "-s", "login.keychain").status == 0)
        #expect(try fixture.run("find-generic-password", "-s", "s").status == 44)
    }

    /// If keys cannot be cached for other processes, `unlock-keychain` fails.
    @Test func unlock_withoutAPlaceForKeys_failsAndSaysSo() throws {
        var fixture = try CommandFixture()
        fixture.environment["SECITEM_KEY_CACHE"] = "none"
        let created = try fixture.run("create-keychain", "-p", "pw", "k")
        #expect(created.status == 0 && created.errors.contains("is locked"))
        let unlocked = try fixture.run("unlock-keychain", "-p", "pw", "k")
        #expect(unlocked.status != 0)
        #expect(unlocked.errors.contains("XDG_RUNTIME_DIR"))
    }

    @Test func damagedList_isAnErrorAndStays() throws {
        let fixture = try CommandFixture()
        try fixture.makeKeychain("k")
        let list = "\(fixture.folder.path)/data/secitem/keychains/list"
        try "nonsense\n".write(toFile: list, atomically: true, encoding: .utf8)
        for command in [["list-keychains"], ["default-keychain", "-s", "k"], ["find-generic-password", "-s", "s"]] {
            #expect(try fixture.program(command).run().status == 1)
        }
        #expect(try String(contentsOfFile: list, encoding: .utf8) == "nonsense\n")
    }

    @Test func list_comesBackFromItsFile() throws {
        let folder = try TemporaryFolder()
        let file = KeychainListFile(folder: folder.path + "/a/b")
        #expect(try file.read() == KeychainList())
        var expected = KeychainList()
        for step in 0..<20 {
            try file.change { list in
                let path = "/some where/\(step) ü"
                list.search.insert(.folder(path), at: step / 2)
                if step.isMultiple(of: 3) { list.defaultName = .folder(path) }
                list.limits[.folder(path)] = UnlockLimits(
                    timeout: step.isMultiple(of: 2) ? UInt32(step) : nil, endsAtSleep: step.isMultiple(of: 5))
                expected = list
            }
            #expect(try file.read() == expected)
        }
        var status = stat()
        #expect(stat(folder.path + "/a/b/list", &status) == 0 && status.st_mode & 0o777 == 0o600)
    }

    // MARK: What strangers leave in a keychain's way

    /// The store that programs use is never deleted, whatever its folder is called.
    @Test func deletion_refusesTheStoreOfPrograms() throws {
        var fixture = try CommandFixture()
        let folder = fixture.folder.path
        fixture.environment["SECITEM_DIRECTORY"] = folder + "/store-db"
        try fixture.run("add-generic-password", "-s", "s", "-a", "a", "-w", "x")
        try FileManager.default.createSymbolicLink(atPath: folder + "/link", withDestinationPath: folder)
        for name in ["/store-db", "/store", "/link/store-db", "/link/store"] {
            let refused = try fixture.run("delete-keychain", folder + name)
            #expect(refused.status == 1 && refused.errors.contains("is not deleted"), "\(name)")
        }
        #expect(try fixture.run("find-generic-password", "-s", "s", "-w").output == "x\n")
    }

    /// A damaged keychain does not affect items in others, and can be removed from the list.
    @Test func damagedKeychain_concernsItselfAlone() throws {
        let fixture = try CommandFixture()
        for name in ["a", "b", "c"] {
            try fixture.makeKeychain(name)
            try fixture.run("add-generic-password", "-s", name, "-a", "a", "-w", "x", name)
        }
        try "damage".write(toFile: fixture.path(of: "b") + "/items.db", atomically: false, encoding: .utf8)
        let said = "security: \(fixture.path(of: "b")): SecKeychainOpen: "
        // What follows in the list may be older than what cannot be read.
        for (name, isBehind) in [("a", false), ("c", true)] {
            let end = try fixture.run("find-generic-password", "-s", name, "-w")
            #expect(end.status == 0 && end.output == "x\n")
            #expect(end.errors.components(separatedBy: said).count == (isBehind ? 2 : 1), "\(end)")
        }
        #expect(try ![0, 44].contains(fixture.run("find-generic-password", "-s", "none").status))
        // The one in the damaged keychain may be meant.
        let deletion = try fixture.run("delete-generic-password", "-s", "c")
        #expect(![0, 44].contains(deletion.status) && deletion.output == "", "\(deletion)")
        #expect(deletion.errors.components(separatedBy: said).count == 2, "\(deletion)")
        for line in [["-s", "a"], ["-s", "c", "c"]] {
            #expect(try fixture.program(["delete-generic-password"] + line).run().status == 0, "\(line)")
        }
        for name in ["a", "c"] { try fixture.run("add-generic-password", "-s", name, "-a", "a", "-w", "x", name) }
        let dump = try fixture.run("dump-keychain")
        #expect(dump.status == 0 && dump.output.contains("\"svce\"<blob>=\"c\""))
        #expect(dump.errors.components(separatedBy: said).count == 2, "\(dump.errors)")
        // All keychains that are named must be readable.
        let named = try fixture.run("dump-keychain", "a", "b", "c")
        #expect(![0, 44].contains(named.status) && named.output == dump.output && named.errors == dump.errors)
        // All other keychains are locked.
        #expect(try fixture.run("lock-keychain", "-a").status != 0)
        for name in ["a", "c"] { #expect(try fixture.run("show-keychain-info", name).status == 36) }
        #expect(try fixture.run("delete-keychain", "b").status != 0)
        #expect(try !fixture.run("list-keychains").output.contains("/b-db"))
    }

    /// If the folder of the default keychain was missing for a while and is made again, it is still the default
    /// keychain.
    @Test func newKeychain_staysTheDefaultOne() throws {
        let fixture = try CommandFixture()
        try fixture.makeKeychain("k")
        try fixture.run("default-keychain", "-s", "k")
        try FileManager.default.removeItem(atPath: fixture.path(of: "k"))
        #expect(try fixture.run("create-keychain", "-p", "pw", "k").status == 0)
        #expect(try fixture.golden("default-keychain").contains("/k-db"))
        #expect(try fixture.golden("list-keychains").components(separatedBy: "/k-db").count == 2)
    }

    /// A list that another user may have written, or that is not a regular file, is refused.
    @Test func listThatIsNotOnesOwn_isRefused() throws {
        let fixture = try CommandFixture()
        try fixture.makeKeychain("k")
        let list = "\(fixture.folder.path)/data/secitem/keychains/list"
        chmod(list, 0o666)
        #expect(try fixture.run("list-keychains").status == 1)
        try FileManager.default.moveItem(atPath: list, toPath: list + ".other")
        chmod(list + ".other", 0o600)
        symlink(list + ".other", list)
        #expect(try fixture.run("list-keychains").status == 1)
        unlink(list)
        mkfifo(list, 0o600)
        #expect(try fixture.run("list-keychains").status == 1)
    }

    @Test func argumentTooMany_isNotShown() throws {
        let fixture = try CommandFixture()
        for command in ["unlock-keychain", "set-keychain-password", "create-keychain", "set-key-partition-list"] {
            let refused = try fixture.run(command, "-p", "one", "k", "hunter2", "hunter3", "--", "-hunter4")
            #expect(!refused.errors.contains("hunter2 ") && !refused.errors.contains("'hunter"), "\(command)")
        }
        let refused = try fixture.run("unlock-keychain", "k", "hunter2")
        #expect(refused.status == 2 && !refused.errors.contains("hunter2"))
    }

    @Test func searchList_ofManyKeychainsIsSet() throws {
        let fixture = try CommandFixture()
        let names = (0..<300).map { "/k/\($0)" }
        try fixture.program(["list-keychains", "-s"] + names + names).output()
        #expect(try fixture.run("list-keychains").lines.count == 300)
    }

    // MARK: Maintenance

    /// Our own commands accept the same names as the other commands.
    @Test func maintenance_takesBareNames() throws {
        let fixture = try CommandFixture()
        for name in ["a.keychain", "b"] { try fixture.makeKeychain(name) }
        try fixture.run("add-generic-password", "-s", "s", "-a", "a", "-w", "x", "a.keychain")
        let file = fixture.folder.path + "/backup", mac = "\(fixture.folder.path)/Library/Keychains/a.keychain-db"
        for name in ["a.keychain", "a.keychain-db", mac, fixture.path(of: "a.keychain")] {
            let report = try fixture.run("check", "--keychain", name)
            #expect(report.status == 0 && report.output.hasPrefix("generic passwords: 1\n"), "\(name): \(report)")
        }
        #expect(try fixture.run("backup", file, "--keychain", "a.keychain", input: "phrase\n").status == 0)
        let restored = try fixture.run("restore", file, "--keychain", "b", input: "phrase\n")
        #expect(restored.status == 0 && restored.errors == "1 items: 1 added\n")
        #expect(try fixture.run("find-generic-password", "-s", "s", "-w", "b").output == "x\n")
        let move = try fixture.run("move", "--from", "b", "--to", "login.keychain", "--delete-source")
        #expect(move.status == 0, "\(move)")
        #expect(try fixture.run("find-generic-password", "-s", "s", "b").status == 44)
        #expect(try fixture.run("find-generic-password", "-s", "s", "-w", "login.keychain").output == "x\n")
        #expect(try fixture.run("doctor", "--keychain", "b").output.contains(fixture.path(of: "b")))
    }

    /// A locked keychain asks for its password. A missing one gives an error of its own. Neither is created.
    @Test func maintenance_ofALockedOrMissingKeychain() throws {
        let fixture = try CommandFixture()
        try fixture.makeKeychain("k")
        try fixture.run("add-generic-password", "-s", "s", "-a", "a", "-w", "x", "k")
        try fixture.run("lock-keychain", "k")
        #expect(try fixture.run("check", "--keychain", "k").status == 36)
        #expect(try fixture.run("check", "--keychain", "k", input: "wrong\n").status == 51)
        #expect(try fixture.run("check", "--keychain", "k", input: "pw\n").status == 0)
        let rekeyed = try fixture.run("rekey", "--keychain", "k", input: "pw\n")
        #expect(rekeyed.status == 0 && rekeyed.errors == "1 items were encrypted again\n", "\(rekeyed)")
        #expect(try fixture.run("unlock-keychain", "-p", "pw", "k").status == 0)
        #expect(try fixture.run("find-generic-password", "-s", "s", "-w", "k").output == "x\n")
        let file = fixture.folder.path + "/backup"
        for line in [["check"], ["backup", file], ["rekey"], ["doctor"]] {
            let missing = try fixture.program(line + ["--keychain", "missing"]).run(input: "x\nx\n")
            #expect(missing.status == 50, "\(line): \(missing)")
        }
        #expect(try fixture.run("move", "--from", "login.keychain", "--to", "missing").status == 50)
        #expect(!FileManager.default.fileExists(atPath: fixture.path(of: "missing")))
    }

    /// Nobody is to believe that items which nobody could read are in order.
    @Test(.enabled(if: PrivateBus.isGnomeKeyring, Comment(rawValue: PrivateBus.reason)))
    func check_saysHowManyItemsWereLocked() throws {
        let bus = try PrivateBus(.unlocked)
        var fixture = try CommandFixture()
        fixture.environment.merge(bus.variables) { $1 }
        fixture.environment["SECITEM_STORE"] = "secret-service"
        for account in ["a", "b"] {
            #expect(try fixture.run("add-generic-password", "-s", "s", "-a", account, "-w", "x").status == 0)
        }
        let open = try fixture.run("check")
        #expect(open.status == 0 && open.output.hasPrefix("generic passwords: 2\n"), "\(open)")
        #expect(!open.output.contains("locked"), "\(open)")
        let locked = try bus.whileLocked { try fixture.run("check") }
        #expect(locked.status == 36 && locked.output.hasPrefix("generic passwords: 0\n"), "\(locked)")
        #expect(locked.output.hasSuffix("locked, and not checked: 2\n"), "\(locked)")
    }

    // MARK: The end of a shared unlock

    /// A locked keychain stays locked, even if commands are using it at that moment.
    @Test func lock_isNotUndoneByThoseWhoUseTheKeychain() throws {
        let folder = try TemporaryFolder()
        let cache = try TemporaryFolder(in: "/dev/shm")
        let place = FirstUnlockCache.folder(cache.path)
        let password = Secret(Data("pw".utf8))
        let location = StoreLocation(folder: folder.path + "/k")
        let source = PassphraseSource.closure { password }
        let store = try SQLiteStore(
            location: location, protector: PassphraseProtector(sources: [source], cost: .lowest), cache: .none)
        try store.unlock(passphrase: password)
        let others = try (0..<4).map { _ in
            try SQLiteStore(
                madeWhenNeeded: location, protector: PassphraseProtector(sources: []), cache: .none)
        }
        for round in 0..<100 {
            try store.shareUnlock(UnlockLimits(timeout: 100), in: place)
            DispatchQueue.concurrentPerform(iterations: 6) { number in
                if number < 4 { _ = try? others[number].takeSharedUnlock(in: place) }
                if number == 4 {
                    #expect(throws: Never.self) { try store.shareUnlock(UnlockLimits(timeout: 700), in: place) }
                }
            }
            // A process with older limits does not overwrite new ones.
            let limits = try others[0].takeSharedUnlock(in: place)
            #expect(limits?.timeout == 700, "\(round)")
            DispatchQueue.concurrentPerform(iterations: 5) { number in
                if number < 4 { _ = try? others[number].takeSharedUnlock(in: place) }
                if number == 4 { #expect(throws: Never.self) { try store.endSharedUnlock(in: place) } }
            }
            try store.limitSharedUnlock(UnlockLimits(timeout: 700), in: place)
            #expect(try others[0].takeSharedUnlock(in: place) == nil, "\(round)")
        }
    }

    /// Somebody who may write to the parent folder could read keys that are put there later.
    @Test(arguments: [0o777, 0o720, 0o702] as [mode_t])
    func folderThatOthersMayChange_keepsNoKeys(mode: mode_t) throws {
        let folder = try TemporaryFolder()
        let cache = try TemporaryFolder(in: "/dev/shm")
        let password = Secret(Data("pw".utf8))
        let source = PassphraseSource.closure { password }
        let store = try SQLiteStore(
            location: StoreLocation(folder: folder.path + "/k"),
            protector: PassphraseProtector(sources: [source], cost: .lowest), cache: .none)
        try store.unlock(passphrase: password)
        try store.shareUnlock(UnlockLimits(), in: .folder(cache.path))
        chmod(cache.path, mode)
        #expect(throws: StoreError.self) { try store.shareUnlock(UnlockLimits(), in: .folder(cache.path)) }
        #expect(try store.takeSharedUnlock(in: .folder(cache.path)) == nil)
    }

    @Test func sharedUnlock_endsAsItsLimitsSay() throws {
        let folder = try TemporaryFolder()
        let cache = try TemporaryFolder(in: "/dev/shm")
        let place = FirstUnlockCache.folder(cache.path)
        let password = Secret(Data("pw".utf8))
        let location = StoreLocation(folder: folder.path + "/k")
        let source = PassphraseSource.closure { password }
        let store = try SQLiteStore(
            location: location, protector: PassphraseProtector(sources: [source], cost: .lowest), cache: .none)
        try store.unlock(passphrase: password)
        func isShared(_ now: MachineTime) throws -> Bool {
            let other = try SQLiteStore(
                madeWhenNeeded: location, protector: PassphraseProtector(sources: []), cache: .none)
            return try other.takeSharedUnlock(in: place, now: now) != nil && !other.isLocked
        }
        func time(_ since: UInt64, asleep: UInt64 = 0) -> MachineTime {
            MachineTime(sinceStart: since, asleep: asleep)
        }
        #expect(try !isShared(time(0)))
        try store.shareUnlock(UnlockLimits(timeout: 100), in: place, now: time(1000))
        #expect(try isShared(time(1099)))
        // Each use restarts the time limit.
        #expect(try isShared(time(1198)))
        #expect(try isShared(time(1298)))
        #expect(try !isShared(time(1399)))
        #expect(try !isShared(time(1299)))
        try store.shareUnlock(UnlockLimits(endsAtSleep: true), in: place, now: time(1000, asleep: 50))
        #expect(try isShared(time(100_000, asleep: 50)))
        #expect(try !isShared(time(100_000, asleep: 52)))
        try store.shareUnlock(UnlockLimits(), in: place, now: time(1000))
        #expect(try isShared(time(1 << 40, asleep: 1 << 30)))
        // From another start of the machine.
        #expect(try !isShared(time(999)))
        try store.shareUnlock(UnlockLimits(), in: place, now: time(1000))
        try store.endSharedUnlock(in: place)
        #expect(try !isShared(time(1000)))
        try store.lock()
        #expect(throws: StoreError.self) { try store.shareUnlock(UnlockLimits(), in: place, now: time(1)) }
    }
}

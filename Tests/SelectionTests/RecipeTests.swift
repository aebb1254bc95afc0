// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The recipes of `docs/operations.md`, as they are written there.
@Suite(.enabled(if: Root.isHere, Root.reason)) struct RecipeTests {
    private let folder: TemporaryFolder
    /// The probe, in a place where every user can run it.
    private let executable: String

    init() throws {
        let parents = [FileManager.default.temporaryDirectory.path, "/tmp"]
        folder = try TemporaryFolder(in: try #require(parents.first(where: Self.isOpenToAll)))
        try #require(chmod(folder.path, 0o755) == 0)
        let built = try Probe.path
        if Self.isOpenToAll((built as NSString).deletingLastPathComponent) {
            executable = built
        } else {
            executable = folder.path + "/KeychainProbe"
            try Program.copy(built, to: executable)
        }
    }

    /// Whether every user may enter that folder and all folders above it.
    private static func isOpenToAll(_ folder: String) -> Bool {
        var status = stat()
        guard stat(folder, &status) == 0, status.st_mode & 0o001 != 0 else { return false }
        return folder == "/" || isOpenToAll((folder as NSString).deletingLastPathComponent)
    }

    /// Runs as a user without an entry in the user database, in the group of root, like an orchestrator.
    private static let asUnknownUser = ["setpriv", "--reuid", "54321", "--regid", "0", "--clear-groups"]
    private static let asUser = ["setpriv", "--reuid", "54321", "--regid", "54321", "--clear-groups"]

    /// On a volume with mode 0755, any user can have a keychain in a subfolder.
    @Test(arguments: [nil, "/", "/nonexistent"]) func container_keepsItemsOnAVolume(_ home: String?) throws {
        let volume = try folder.make("volume", mode: 0o755, owner: 54_321)
        var environment = [
            "SECITEM_DIRECTORY": volume + "/keychain", "SECITEM_APPLICATION_IDENTIFIER": "org.example.app",
        ]
        environment["HOME"] = home
        for command in ["add", "find"] {
            let probe = try Probe(
                command, "one", environment: environment, through: Self.asUnknownUser, executable: executable)
            #expect(probe.lines == ["0"] && probe.errors == "", "\(probe.errors)")
        }
        var status = stat()
        #expect(stat(volume + "/keychain", &status) == 0 && status.st_mode & 0o777 == 0o700)
    }

    /// The volume itself is readable by others, so it is refused, and the log says what to do.
    @Test func volumeItself_isRefused() throws {
        let volume = try folder.make("volume", mode: 0o755, owner: 54_321)
        let probe = try Probe(
            "add", "one", environment: ["SECITEM_DIRECTORY": volume], through: Self.asUnknownUser,
            executable: executable)
        #expect(probe.lines == ["-25291"])
        #expect(probe.errors.contains(volume) && probe.errors.contains("755"), "\(probe.errors)")
        #expect(probe.errors.contains("such as \(volume)/keychain"), "\(probe.errors)")
        #expect(!probe.errors.contains("chmod"), "\(probe.errors)")
    }

    /// A passphrase file that is not there is named once, although the store and each call notice it.
    @Test func missingPassphraseFile_isNamedOnce() throws {
        let passphrase = folder.path + "/passphrase"
        try Data("passphrase".utf8).write(to: URL(fileURLWithPath: passphrase))
        try #require(chmod(passphrase, 0o600) == 0)
        let environment = [
            "HOME": folder.path, "SECITEM_DIRECTORY": folder.path + "/keychain", "SECITEM_KEY_CACHE": "none",
            "SECITEM_PASSPHRASE_FILE": passphrase,
        ]
        try #require(try Probe("add", "one", environment: environment).lines == ["0"])
        try #require(unlink(passphrase) == 0)
        let probe = try Probe("find-and-add-later", "one", environment: environment)
        #expect(probe.lines == ["-25291", "-25291"], "\(probe.errors)")
        #expect(probe.errors.components(separatedBy: passphrase).count == 2, "\(probe.errors)")
    }

    /// The same for a keychain that lacks the configured passphrase.
    @Test func keychainWithoutTheConfiguredPassphrase_isNamedOnce() throws {
        var environment = ["HOME": folder.path, "SECITEM_DIRECTORY": folder.path + "/keychain"]
        try #require(try Probe("add", "one", environment: environment).lines == ["0"])
        let passphrase = folder.path + "/passphrase"
        try Data("passphrase".utf8).write(to: URL(fileURLWithPath: passphrase))
        try #require(chmod(passphrase, 0o600) == 0)
        environment["SECITEM_PASSPHRASE_FILE"] = passphrase
        let probe = try Probe("find-and-add-later", "one", environment: environment)
        #expect(probe.lines == ["-25291", "-25291"], "\(probe.errors)")
        #expect(probe.errors.components(separatedBy: "a passphrase is configured").count == 2, "\(probe.errors)")
    }

    /// Without a home and without a folder, there is no place for a keychain. The call fails, and creates nothing.
    @Test func noHome_isSaid() throws {
        let probe = try Probe(
            "add", "one", environment: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/none"], through: Self.asUnknownUser,
            executable: executable)
        #expect(probe.lines == ["-25291"])
        #expect(probe.errors.contains("no home") && probe.errors.contains("SECITEM_DIRECTORY"), "\(probe.errors)")
    }

    /// cron and SSH: a home and no other variables.
    @Test func cronJob_findsWhatTheSessionStored() throws {
        let home = try folder.make("home", mode: 0o700, owner: 54_321)
        for command in ["add", "find"] {
            let probe = try Probe(
                command, "one", environment: ["HOME": home], through: Self.asUser, executable: executable)
            #expect(probe.lines == ["0"] && probe.errors == "", "\(probe.errors)")
        }
    }

    /// `sudo` with the user's HOME creates no file of root's there, and does not read the user's keychain.
    @Test(arguments: [false, true]) func sudo_withTheUsersHome_leavesNothingThere(_ hasKeychain: Bool) throws {
        let home = try folder.make("home", mode: 0o700, owner: 54_321)
        if hasKeychain {
            #expect(
                try Probe("add", "one", environment: ["HOME": home], through: Self.asUser, executable: executable).lines
                    == ["0"])
        }
        for variables in [["HOME": home], ["HOME": "/root", "XDG_DATA_HOME": home + "/data"]] {
            let probe = try Probe("add", "two", environment: variables)
            #expect(probe.lines == ["-25291"])
            #expect(
                probe.errors.contains("belongs to user 54321") && probe.errors.contains("sudo -H"), "\(probe.errors)")
        }
        let files = try #require(FileManager.default.enumerator(atPath: home)).compactMap { $0 as? String }
        for file in files {
            var status = stat()
            #expect(lstat(home + "/" + file, &status) == 0 && status.st_uid == 54_321, "\(file)")
        }
        if !hasKeychain { #expect(files.isEmpty) }
    }

    /// The opposite case: root's HOME, in which another user finds nothing. Nobody is told to open root's folders.
    @Test(arguments: ["HOME", "XDG_STATE_HOME"]) func rootsHome_isNamedAsRoots(_ variable: String) throws {
        let home = try folder.make("root", mode: 0o700)
        let own = try folder.make("home", mode: 0o700, owner: 54_321)
        let probe = try Probe(
            "add", "one", environment: ["HOME": own].merging([variable: home]) { $1 }, through: Self.asUser,
            executable: executable)
        #expect(probe.lines == ["-25291"])
        #expect(
            probe.errors.contains("\(variable) leads to \(home), which belongs to user 0"), "\(probe.errors)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: home).isEmpty)
    }

    /// A set-user-ID program ignores the paths in its caller's environment.
    @Test func setUserID_doesNotFollowTheCallersEnvironment() throws {
        let copy = folder.path + "/probe"
        try Program.copy(try Probe.path, to: copy)
        try #require(chown(copy, 54_321, 54_321) == 0 && chmod(copy, 0o4755) == 0)
        let trap = try folder.make("trap", mode: 0o777)
        for variables in [
            ["SECITEM_DIRECTORY": trap + "/x"], ["XDG_DATA_HOME": trap], ["HOME": trap], ["SECITEM_STORE": "memory"],
            ["SECITEM_STORE": "secret-service", "DBUS_SESSION_BUS_ADDRESS": "unix:path=\(trap)/bus"],
        ] {
            let probe = try Probe(
                "add", "one", environment: variables,
                through: ["setpriv", "--reuid", "54322", "--regid", "54322", "--clear-groups"], executable: copy)
            // The user database has no home for its user, and the environment is ignored.
            #expect(probe.lines == ["-25291"] && probe.errors.contains("no home"), "\(variables) \(probe.errors)")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: trap).isEmpty)
    }
}

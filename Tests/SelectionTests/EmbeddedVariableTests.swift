// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore
import TestSupport
import Testing

@testable import SecItemSQLite
@testable import SecItemSelection
@testable import SecItemShim

/// Environment variables for the embedded store.
@Suite(.timeLimit(.minutes(60))) struct EmbeddedVariableTests {
    private let folder: TemporaryFolder

    init() throws {
        // In memory, like a run-time folder.
        folder = try TemporaryFolder(in: "/dev/shm")
    }

    /// The store sees a network file system here.
    @Test(arguments: [nil, "", "1", "Allowed", "allowed"]) func networkFolder_isUsed_onlyIfItIsAllowed(
        _ value: String?
    ) throws {
        var environment = ["HOME": folder.path, "SECITEM_STORE": "embedded"]
        environment["SECITEM_NETWORK_FOLDER"] = value
        let given = environment
        let item = [kSecClass: kSecClassGenericPassword] as CFDictionary
        let nfs = FileSystem(number: 0x6969) { nil }
        let expected = value == "allowed" ? errSecSuccess : errSecNotAvailable
        for directory in [nil, folder.path + "/directory"] {
            let store = DefaultStore { given }
            if let directory { store.use(.embedded(directory: URL(fileURLWithPath: directory))) }
            FileSystem.$assumed.withValue(nfs) { #expect(store.calls.add(item, nil) == expected) }
        }
    }

    @Test(arguments: ["runtime", "kernel", "none"]) func keys_waitWhereTheVariableSays(_ value: String) throws {
        let runtime = try folder.make("runtime", mode: 0o700)
        #expect(try add(cache: value, runtime: runtime).lines == ["0"])
        let kept = (try? FileManager.default.contentsOfDirectory(atPath: runtime + "/secitem")) ?? []
        #expect(kept.isEmpty == (value != "runtime"), "\(kept)")
    }

    @Test func placeForKeys_thatIsNone_isSaid() throws {
        let probe = try add(cache: "elsewhere", runtime: folder.path)
        #expect(probe.lines == ["-25291"])
        #expect(probe.errors.contains("SECITEM_KEY_CACHE") && probe.errors.contains("runtime"), "\(probe.errors)")
    }

    // MARK: A systemd credential

    /// What a program may find in place of the credential that systemd gave it.
    enum Credential: String, CaseIterable {
        case linkToNothing, linkToItself, folderMissing, folderIsAFile, folderClosed, unreadable
        var needsRoot: Bool { self == .folderClosed || self == .unreadable }
    }

    /// The passphrase that cannot be looked at may be there. A store without one would be unprotected.
    @Test(arguments: Credential.allCases.filter { Root.isHere || !$0.needsRoot })
    func credential_thatCannotBeSeen_isAnError_notNone(_ kind: Credential) throws {
        let home = try folder.make("home", owner: Root.isHere ? 54_322 : nil)
        let credentials = try folder.make("credentials"), file = credentials + "/secitem-passphrase"
        try #require(chmod(folder.path, 0o755) == 0)
        switch kind {
        case .linkToNothing: try #require(symlink("/nonexistent/passphrase", file) == 0)
        case .linkToItself: try #require(symlink(file, file) == 0)
        case .folderMissing: try #require(rmdir(credentials) == 0)
        case .folderIsAFile: try #require(rmdir(credentials) == 0 && mknod(credentials, S_IFREG | 0o644, 0) == 0)
        case .folderClosed: try #require(chmod(credentials, 0o500) == 0)
        case .unreadable: try #require(mknod(file, S_IFREG | 0o400, 0) == 0)
        }
        let probe = try addWithCredentials(in: credentials, home: home)
        #expect(probe.lines == ["-25291"], "\(probe.errors)")
        #expect(probe.errors.contains(file) && probe.errors.contains("CREDENTIALS_DIRECTORY"), "\(probe.errors)")
        #expect(try FileManager.default.subpathsOfDirectory(atPath: home).allSatisfy { !$0.hasSuffix(".db") })
    }

    @Test func credentials_withoutAPassphrase_configureNone() throws {
        let home = try folder.make("home", owner: Root.isHere ? 54_322 : nil)
        let credentials = try folder.make("credentials")
        try #require(chmod(folder.path, 0o755) == 0)
        try "other".write(toFile: credentials + "/other", atomically: true, encoding: .utf8)
        for folder in [credentials, ""] {
            let probe = try addWithCredentials(in: folder, home: home)
            #expect(["0", "-25299"].contains(probe.lines.first), "\(probe.errors)")
        }
    }

    /// Adds an item as a user who is not root, if the tests run as root.
    private func addWithCredentials(in credentials: String, home: String) throws -> Probe {
        let variables = ["HOME": home, "SECITEM_STORE": "embedded", "CREDENTIALS_DIRECTORY": credentials]
        guard Root.isHere else { return try Probe("add", "one", environment: variables) }
        let programs = try TemporaryFolder(), copy = programs.path + "/probe"
        try Program.copy(try Probe.path, to: copy)
        try #require(chmod(programs.path, 0o755) == 0 && chmod(copy, 0o755) == 0)
        return try Probe(
            "add", "one", environment: variables,
            through: ["setpriv", "--reuid", "54322", "--regid", "54322", "--clear-groups"], executable: copy)
    }

    // MARK: Values that are not UTF-8

    /// Swift would turn both values into the same text, and two folders or applications would become one.
    @Test(arguments: [
        "SECITEM_DIRECTORY", "SECITEM_ACCESS_GROUPS", "SECITEM_APPLICATION_IDENTIFIER", "SECITEM_PASSPHRASE_FILE",
        "SECITEM_STORE", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR", "HOME", "CREDENTIALS_DIRECTORY",
        "DBUS_SESSION_BUS_ADDRESS", "SNAP_NAME",
    ])
    func variable_thatIsNotUTF8_failsEveryCall_andIsNamed(_ name: String) throws {
        for byte in ["350", "351"] {
            let probe = try add(with: name, byte)
            #expect(probe.lines == ["-25291"], "\(probe.errors)")
            let lines = probe.errors.split(separator: "\n")
            #expect(lines.filter { $0.contains(name) }.count == 1, "\(probe.errors)")
            #expect(!probe.errors.contains("latin"), "\(probe.errors)")
        }
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/.local"))
    }

    @Test func otherVariable_thatIsNotUTF8_doesNotMatter() throws {
        #expect(try add(with: "ANOTHER_PROGRAMS_VARIABLE", "351").lines == ["0"])
    }

    /// Adds an item where a variable has a value in Latin-1.
    private func add(with name: String, _ byte: String) throws -> Probe {
        let script = "export \(name)=\"$(printf '\(folder.path)/latin\\\(byte)')\"; exec \"$@\""
        return try Probe(
            "add", "one", environment: ["HOME": folder.path, "SECITEM_STORE": "embedded"],
            through: ["sh", "-c", script, "sh"])
    }

    private func add(cache: String, runtime: String) throws -> Probe {
        let file = folder.path + "/passphrase"
        try "passphrase".write(toFile: file, atomically: true, encoding: .utf8)
        try #require(chmod(file, 0o600) == 0)
        return try Probe(
            "add", "one",
            environment: [
                "HOME": folder.path, "SECITEM_PASSPHRASE_FILE": file, "SECITEM_KEY_CACHE": cache,
                "XDG_RUNTIME_DIR": runtime,
            ])
    }
}

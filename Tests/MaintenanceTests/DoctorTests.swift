// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemMaintenance
import SecItemSQLite
import SecItemSealing
import SecItemShim
import SecItemStore
import TestSupport
import Testing

/// The doctor finds and names what is broken, suggests a remedy, and changes nothing.
@Suite struct DoctorTests {
    /// A way to break a configuration.
    struct Breakage: Sendable, CustomTestStringConvertible {
        let name: String
        let topic: String
        /// A part of the expected text.
        let text: String
        var level = Finding.Level.problem
        /// Breaks the folder, which has a store with a password in `store`. Returns additional environment variables.
        let arrange: @Sendable (String) throws -> [String: String]

        var testDescription: String { name }
    }

    static let breakages: [Breakage] = [
        Breakage(name: "no such store", topic: "configuration", text: "SECITEM_STORE is \"keyring\"") { _ in
            ["SECITEM_STORE": "keyring"]
        },
        Breakage(name: "no such key cache", topic: "configuration", text: "SECITEM_KEY_CACHE is \"kernal\"") { _ in
            ["SECITEM_KEY_CACHE": "kernal"]
        },
        Breakage(name: "no such protector", topic: "configuration", text: "SECITEM_PROTECTOR is \"tmp\"") { _ in
            ["SECITEM_PROTECTOR": "tmp"]
        },
        Breakage(name: "variable misspelt", topic: "configuration", text: "SECITEM_DIR is set", level: .note) { _ in
            ["SECITEM_DIR": "/x"]
        },
        Breakage(name: "relative folder", topic: "configuration", text: "not an absolute path") { _ in
            ["SECITEM_DIRECTORY": "some/folder"]
        },
        Breakage(name: "no home", topic: "store", text: "no keychain can be used") { _ in
            ["SECITEM_STORE": "embedded", "SECITEM_DIRECTORY": "", "XDG_DATA_HOME": "", "HOME": "nowhere"]
        },
        Breakage(name: "no Secret Service", topic: "secret-service", text: "no Secret Service answers") { _ in
            ["SECITEM_STORE": "secret-service", "SECITEM_DIRECTORY": ""]
        },
        Breakage(name: "broken bus", topic: "secret-service", text: "/nonexistent/bus") { _ in
            [
                "SECITEM_STORE": "secret-service", "SECITEM_DIRECTORY": "",
                "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent/bus",
            ]
        },
        Breakage(name: "open folder", topic: "files", text: "gives other users access") { folder in
            chmod(folder + "/store", 0o755)
            return [:]
        },
        Breakage(name: "open database", topic: "files", text: "items.db has mode 644") { folder in
            chmod(folder + "/store/items.db", 0o644)
            return [:]
        },
        Breakage(name: "open key", topic: "files", text: "device.key has mode 660") { folder in
            chmod(folder + "/store/device.key", 0o660)
            return [:]
        },
        Breakage(name: "symbolic link", topic: "files", text: "is a symbolic link") { folder in
            try FileManager.default.createSymbolicLink(
                atPath: folder + "/link", withDestinationPath: folder + "/store")
            return ["SECITEM_DIRECTORY": folder + "/link"]
        },
        Breakage(name: "file for a folder", topic: "files", text: "is not a folder") { folder in
            try Data().write(to: URL(fileURLWithPath: folder + "/file"))
            return ["SECITEM_DIRECTORY": folder + "/file"]
        },
        Breakage(name: "missing key", topic: "files", text: "device.key is missing") { folder in
            try FileManager.default.removeItem(atPath: folder + "/store/device.key")
            return [:]
        },
        Breakage(name: "missing database", topic: "files", text: "items.db is missing") { folder in
            for name in ["items.db", "items.db-wal", "items.db-shm"] {
                try? FileManager.default.removeItem(atPath: folder + "/store/" + name)
            }
            return [:]
        },
        Breakage(name: "junk for a database", topic: "store", text: "no keychain can be used") { folder in
            try Data(repeating: 7, count: 5_000).write(to: URL(fileURLWithPath: folder + "/store/items.db"))
            return [:]
        },
        Breakage(name: "key of another store", topic: "store", text: "another store") { folder in
            let other = try SQLiteStore(
                madeWhenNeeded: StoreLocation(folder: folder + "/other"), protector: KeyFileProtector(), cache: .none)
            try other.insert(.password("x"))
            let key = try Data(contentsOf: URL(fileURLWithPath: folder + "/other/device.key"))
            try key.write(to: URL(fileURLWithPath: folder + "/store/device.key"))
            return [:]
        },
        Breakage(name: "damaged item", topic: "damage", text: "in row 1") { folder in
            try damageRow(1, in: folder + "/store")
            return [:]
        },
        Breakage(name: "no passphrase file", topic: "passphrase-file", text: "No such file") { folder in
            ["SECITEM_PASSPHRASE_FILE": folder + "/none"]
        },
        Breakage(name: "open passphrase file", topic: "passphrase-file", text: "lets other users in") { folder in
            try Data("never shown".utf8).write(to: URL(fileURLWithPath: folder + "/passphrase"))
            chmod(folder + "/passphrase", 0o644)
            return ["SECITEM_PASSPHRASE_FILE": folder + "/passphrase"]
        },
        Breakage(name: "empty passphrase file", topic: "passphrase-file", text: "is empty") { folder in
            try Data().write(to: URL(fileURLWithPath: folder + "/passphrase"))
            chmod(folder + "/passphrase", 0o600)
            return ["SECITEM_PASSPHRASE_FILE": folder + "/passphrase"]
        },
        Breakage(name: "passphrase that the store does not have", topic: "store", text: "not used") { folder in
            try Data("never shown".utf8).write(to: URL(fileURLWithPath: folder + "/passphrase"))
            chmod(folder + "/passphrase", 0o600)
            return ["SECITEM_PASSPHRASE_FILE": folder + "/passphrase"]
        },
        Breakage(name: "wrong passphrase", topic: "passphrase", text: "does not open the store") { folder in
            try makeLockedStore(folder)
            try Data("never shown".utf8).write(to: URL(fileURLWithPath: folder + "/passphrase"))
            chmod(folder + "/passphrase", 0o600)
            return [
                "SECITEM_DIRECTORY": folder + "/locked", "SECITEM_PASSPHRASE_FILE": folder + "/passphrase",
            ]
        },
        Breakage(
            name: "credential that cannot be used", topic: "passphrase",
            text: "comes from the systemd credential secitem-passphrase, and does not open the store"
        ) { folder in
            try makeLockedStore(folder)
            try FileManager.default.createDirectory(
                atPath: folder + "/credentials/secitem-passphrase", withIntermediateDirectories: true)
            return ["SECITEM_DIRECTORY": folder + "/locked", "CREDENTIALS_DIRECTORY": folder + "/credentials"]
        },
        Breakage(
            name: "passphrase that only a person knows", topic: "passphrase",
            text: "comes from LinuxKeychain.unlock(passphrase:) alone", level: .note
        ) { folder in
            try makeLockedStore(folder)
            // A folder that has other files than this credential.
            return ["SECITEM_DIRECTORY": folder + "/locked", "CREDENTIALS_DIRECTORY": folder + "/store"]
        },
        Breakage(name: "state folder that is a file", topic: "state", text: "cannot be read") { folder in
            try FileManager.default.createDirectory(atPath: folder + "/state", withIntermediateDirectories: true)
            try Data().write(to: URL(fileURLWithPath: folder + "/state/secitem"))
            return [:]
        },
    ]

    private static func environment(_ folder: String) -> [String: String] {
        [
            "HOME": folder + "/home", "XDG_DATA_HOME": folder + "/data", "XDG_STATE_HOME": folder + "/state",
            "XDG_RUNTIME_DIR": folder + "/run", "SECITEM_DIRECTORY": folder + "/store",
            "SECITEM_APPLICATION_IDENTIFIER": "org.example.doctor",
        ]
    }

    private static func makeStore(_ folder: String) throws {
        let store = try SQLiteStore(
            madeWhenNeeded: StoreLocation(folder: folder + "/store"), protector: KeyFileProtector(), cache: .none)
        try store.insert(.password("anna", "never shown"))
    }

    /// A store in `locked`, whose passphrase is "right".
    private static func makeLockedStore(_ folder: String) throws {
        let store = try SQLiteStore(
            madeWhenNeeded: StoreLocation(folder: folder + "/locked"),
            protector: PassphraseProtector(sources: [.closure { Secret(text: "right") }], cost: .lowest),
            cache: .none)
        try store.insert(.password("x"))
    }

    /// The folder's files, with properties that show whether they were changed.
    private static func files(_ folder: String) -> Set<String> {
        let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        // Any reader may create or remove SQLite's own files.
        return Set(names.filter { !$0.hasSuffix("-shm") && !$0.hasSuffix("-wal") })
    }

    @Test(arguments: breakages)
    func whatIsBroken_isFound_withARemedy(_ breakage: Breakage) throws {
        let folder = try TemporaryFolder()
        try Self.makeStore(folder.path)
        let more = try breakage.arrange(folder.path)
        let before = Self.files(folder.path)
        let findings = Doctor(environment: Self.environment(folder.path).merging(more) { $1 }).run()
        let found = findings.first {
            $0.topic == breakage.topic && $0.level == breakage.level && $0.text.contains(breakage.text)
        }
        #expect(found != nil, "\(findings)")
        #expect(found?.remedy != nil)
        #expect(Doctor.isWell(findings) == (breakage.level != .problem))
        #expect(Self.files(folder.path) == before)
        #expect(!"\(findings)".contains("never shown"))
    }

    /// Only an embedded store has two files that belong together.
    @Test func twoFiles_areRestoredOnlyWhereThereAreTwo() throws {
        let places: [(KeychainPlace, [String: String], Bool)] = [
            (.standard, [:], true), (.standard, ["SECITEM_STORE": "embedded"], true),
            (.standard, ["SECITEM_STORE": "automatic"], true), (.embedded(folder: nil), [:], true),
            (.embedded(folder: "/x"), ["SECITEM_STORE": "postgresql"], true),
            (.standard, ["SECITEM_STORE": "postgresql"], false),
            (.standard, ["SECITEM_STORE": "secret-service"], false),
            (.standard, ["SECITEM_SYNCHRONIZABLE": "postgresql"], false),
            (.secretService, [:], false), (.postgreSQL(keychain: nil), [:], false),
        ]
        for (place, environment, hasTwo) in places {
            let finding = Doctor(environment: environment, place: place).finding(of: KeychainError(errSecDecode, "x"))
            let remedy = try #require(finding.remedy)
            #expect(remedy.contains("both files") == hasTwo, "\(place) \(environment): \(remedy)")
        }
    }

    @Test func whatIsWhole_isWell() throws {
        let folder = try TemporaryFolder()
        try Self.makeStore(folder.path)
        let findings = Doctor(environment: Self.environment(folder.path)).run()
        #expect(Doctor.isWell(findings), "\(findings.filter { $0.level == .problem })")
        let text = findings.map(\.text).joined(separator: "\n")
        for part in [
            "org.example.doctor", folder.path + "/store/items.db", "SECITEM_DIRECTORY configures it",
            "1 generic passwords", "SQLite 3.", "OpenSSL 3", "Linux",
        ] {
            #expect(text.contains(part), "\(part)")
        }
        #expect(!text.contains("anna") && !text.contains("never shown"))
    }

    /// Each variable that is set is named with its value, except one that may hold a password, and one that the doctor sets.
    @Test func variables_areNamed() throws {
        let folder = try TemporaryFolder()
        try Self.makeStore(folder.path)
        let values = [
            "SECITEM_ACCESS_GROUPS": "one,two", "SECITEM_LOG": "debug", "SECITEM_POSTGRESQL": "password=never-shown",
            "SECITEM_KEY_CACHE": "none", "SECITEM_TPM": "",
        ]
        let findings = Doctor(environment: Self.environment(folder.path).merging(values) { $1 }).run()
        let named = findings.filter { $0.topic == "configuration" && $0.level == .fine }.map(\.text)
        #expect(
            named == [
                "SECITEM_DIRECTORY is \"\(folder.path)/store\"", "SECITEM_POSTGRESQL is set",
                "SECITEM_LOG is \"debug\"", "SECITEM_APPLICATION_IDENTIFIER is \"org.example.doctor\"",
                "SECITEM_ACCESS_GROUPS is \"one,two\"",
            ])
        #expect(findings.first?.text.hasSuffix("; it may use the access groups one, two") == true, "\(findings)")
        #expect(!"\(findings)".contains("never-shown"))
    }

    /// In upper or lower case. Another word shows everything, which its user may not have meant.
    @Test func logLevel_thatIsNone_isAWarning() throws {
        let folder = try TemporaryFolder()
        try Self.makeStore(folder.path)
        for (word, isLevel) in [("error", true), ("Error", true), ("loud", false), ("0", false)] {
            let environment = Self.environment(folder.path).merging(["SECITEM_LOG": word]) { $1 }
            let found = Doctor(environment: environment).run().filter { $0.text.hasPrefix("SECITEM_LOG is no level") }
            #expect(found.map(\.level) == (isLevel ? [] : [.warning]), "\(word)")
            #expect(found.allSatisfy { $0.remedy?.contains("trace, debug, info") == true })
        }
    }

    /// Without a chip, only someone who asks for one is told what to do.
    @Test(
        .enabled(
            if: !LinuxKeychain.hasTPM && access("/dev/tpmrm0", F_OK) != 0 && access("/dev/tpm0", F_OK) != 0,
            "this machine has a TPM"))
    func missingChip_isAProblemIfItIsWanted() throws {
        let folder = try TemporaryFolder()
        try Self.makeStore(folder.path)
        for isWanted in [false, true] {
            var environment = Self.environment(folder.path)
            if isWanted { environment["SECITEM_PROTECTOR"] = "tpm" }
            let found = Doctor(environment: environment).run().filter { $0.topic == "tpm" }
            #expect(found.map(\.level) == [isWanted ? .problem : .fine])
            #expect(found.first?.remedy?.hasPrefix("unset SECITEM_PROTECTOR") == (isWanted ? true : nil), "\(found)")
        }
    }

    @Test func whereThereIsNothing_nothingIsMade() throws {
        let folder = try TemporaryFolder()
        let findings = Doctor(environment: Self.environment(folder.path)).run()
        #expect(Doctor.isWell(findings), "\(findings.filter { $0.level == .problem })")
        #expect(Self.files(folder.path).isEmpty)
    }
}

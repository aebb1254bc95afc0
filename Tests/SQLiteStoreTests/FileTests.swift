// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore
import TestSupport
import Testing

@testable import SecItemSQLite
@testable import SecItemSealing

/// The folder and its files: owners, modes, visible content, and refusals.
@Suite struct FileTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private var location: StoreLocation { folder.location }

    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    /// Expects that opening fails with this code, logs the reason, and changes no file.
    private func expectRefusal(
        _ code: StoreError.Code, log wanted: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let before = try location.contents()
        let log = CollectedLog()
        expect(code, sourceLocation: sourceLocation) { _ = try openStore(location, logger: log.logger) }
        #expect(log.text.contains(wanted), "\(log.text)", sourceLocation: sourceLocation)
        #expect(log.text.contains("error:"), "\(log.text)", sourceLocation: sourceLocation)
        #expect(try location.contents() == before, sourceLocation: sourceLocation)
    }

    private func makeStore() throws {
        try openStore(location).insert(.password())
    }

    // MARK: Modes

    /// In a process of its own, because the umask is one of all its threads.
    @Test(arguments: ["0", "0277", "0777"]) func files_areForTheirOwnerAlone_whateverTheUmask(_ mask: String) throws {
        let location = StoreLocation(folder: folder.path + "/made/on/the/way/secitem")
        let probe = try Program.built("StoreProbe", ["add", location.folder, "1"])
        let shell = Program(
            "/bin/sh", ["-c", "umask \(mask); exec \"$@\"", "sh", probe.executable] + probe.arguments,
            environment: probe.environment)
        #expect(try shell.run().lines == ["added 0", "ready"])
        for path in ["", "/made", "/made/on/the/way", "/made/on/the/way/secitem"] {
            #expect(try mode(folder.path + path) == 0o700)
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: location.folder)
        #expect(Set(names) == ["items.db", "items.db-wal", "items.db-shm", "device.key"])
        for name in names { #expect(try mode(location.folder + "/" + name) == 0o600) }
    }

    @Test(arguments: [0o750, 0o705, 0o720, 0o702]) func folderOpenToOthers_isRefused(_ mode: Int) throws {
        try makeStore()
        chmod(location.folder, mode_t(mode))
        try expectRefusal(.unavailable, log: "gives other users access; take it away (chmod go= …)")
        chmod(location.folder, 0o700)
        #expect(try openStore(location).find(.password()).count == 1)
    }

    /// A folder that is not a keychain's, such as `/tmp`, is others' too: a stricter mode would take it from them.
    @Test(arguments: [0o755, 0o1777]) func sharedFolderWithoutAStore_isRefused_butNotToBeClosed(_ mode: Int) throws {
        let names = ["", "items.db.new", "items.db", "device.key", "device.key.new"]
        for name in names {
            let folder = try TemporaryFolder(), location = folder.location
            try FileManager.default.createDirectory(atPath: location.folder, withIntermediateDirectories: true)
            try Data().write(to: URL(fileURLWithPath: location.folder + "/another"))
            if !name.isEmpty {
                try Data().write(to: URL(fileURLWithPath: location.folder + "/" + name))
                try #require(chmod(location.folder + "/" + name, 0o600) == 0)
            }
            try #require(chmod(location.folder, mode_t(mode)) == 0)
            let error = #expect(throws: StoreError.self) {
                _ = try PrivateFolder(location, makingIt: true)
            }
            let message = error?.message ?? ""
            #expect(message.contains("its mode \(String(mode, radix: 8)) gives other users access"), "\(message)")
            #expect(message.contains("chmod") == !name.isEmpty, "\(name) \(message)")
            #expect(message.contains("such as \(location.folder)/keychain") == name.isEmpty, "\(name) \(message)")
        }
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give files away"))
    func sharedFolderOfAnotherUser_hasRoomForAFolder() throws {
        try FileManager.default.createDirectory(atPath: location.folder, withIntermediateDirectories: true)
        try #require(chown(location.folder, 12_345, 12_345) == 0 && chmod(location.folder, 0o1777) == 0)
        try expectRefusal(.unavailable, log: "12345; name a folder of its own below it")
    }

    @Test(arguments: ["items.db", "device.key"], [0o640, 0o604, 0o620])
    func fileOpenToOthers_isRefused(_ name: String, _ mode: Int) throws {
        try makeStore()
        chmod(location.folder + "/" + name, mode_t(mode))
        try expectRefusal(.unavailable, log: name)
    }

    @Test func logOpenToOthers_isRefused() throws {
        let store = try openStore(location)
        try store.insert(.password())
        chmod(location.databasePath + "-wal", 0o644)
        try expectRefusal(.unavailable, log: "items.db-wal")
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give files away"))
    func filesOfAnotherUser_areRefused() throws {
        try makeStore()
        for path in [location.databasePath, location.keyFilePath, location.folder] {
            chown(path, 12_345, 12_345)
            try expectRefusal(.unavailable, log: "belongs to user 12345")
            chown(path, geteuid(), getegid())
        }
        #expect(try openStore(location).find(.password()).count == 1)
    }

    @Test func symbolicLinks_areRefused() throws {
        try makeStore()
        let manager = FileManager.default
        let elsewhere = StoreLocation(folder: folder.path + "/elsewhere")
        try manager.moveItem(atPath: location.folder, toPath: elsewhere.folder)
        try manager.createSymbolicLink(atPath: location.folder, withDestinationPath: elsewhere.folder)
        // Some endings of a path would make the system follow the link.
        for end in ["", "/", "//", "/.", "/./"] {
            let location = StoreLocation(folder: location.folder + end)
            #expect(location == self.location)
            let error = #expect(throws: StoreError.self) { _ = try openStore(location) }
            #expect(error?.code == .unavailable && error?.message.contains("is a symbolic link") == true, "\(end)")
        }
        try manager.removeItem(atPath: location.folder)
        try manager.moveItem(atPath: elsewhere.folder, toPath: location.folder)
        for path in [location.databasePath, location.keyFilePath] {
            try manager.moveItem(atPath: path, toPath: path + ".away")
            try manager.createSymbolicLink(atPath: path, withDestinationPath: path + ".away")
            try expectRefusal(.unavailable, log: "not a plain file")
            try manager.removeItem(atPath: path)
            try manager.moveItem(atPath: path + ".away", toPath: path)
        }
        #expect(try openStore(location).find(.password()).count == 1)
    }

    @Test func danglingLink_isNotFollowed() throws {
        try FileManager.default.createDirectory(
            atPath: location.folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let target = folder.path + "/target"
        try FileManager.default.createSymbolicLink(atPath: location.databasePath, withDestinationPath: target)
        expect(.unavailable) { _ = try openStore(location) }
        #expect(!FileManager.default.fileExists(atPath: target))
    }

    // MARK: What shows

    @Test func files_showNoNames() throws {
        let store = try openStore(location)
        try store.insert(
            .password(
                service: "shown-service", account: "shown-account", group: "shown-group", label: "shown-label",
                secret: Data("shown-secret".utf8), more: [.comment: .string("shown-comment")]))
        try store.update(.password(groups: ["shown-group"]), [.account: .string("shown-other")])
        func expectNothingShown() throws {
            for (name, content) in try location.contents() {
                #expect(content.range(of: Data("shown".utf8)) == nil, "in \(name)")
            }
        }
        try expectNothingShown()
        try store.connection.emptyLog()
        try expectNothingShown()
        #expect(try store.find(.password(groups: ["shown-group"])).first?.accountName == "shown-other")
    }

    @Test func errorsAndLog_showNoNames() throws {
        let log = CollectedLog()
        let store = try openStore(location, logger: log.logger)
        let record = ItemRecord.password(service: "shown-service", account: "shown-account")
        try store.insert(record)
        do { try store.insert(record) } catch { #expect(!"\(error)".contains("shown")) }
        try store.connection.write { try $0.execute("UPDATE item SET attributes = zeroblob(64)") }
        do { _ = try store.find(.password()) } catch { #expect(!"\(error)".contains("shown")) }
        #expect(log.text.contains("damaged"))
        #expect(!log.text.contains("shown"))
        #expect(!store.summary.contains("shown"))
    }

    // MARK: Where

    @Test func location_followsTheEnvironment() throws {
        func user(_ environment: [String: String]) throws -> String {
            try StoreLocation.user(environment: environment).folder
        }
        #expect(try user(["XDG_DATA_HOME": "/data", "HOME": folder.path]) == "/data/secitem")
        #expect(try user(["XDG_DATA_HOME": "", "HOME": folder.path]) == folder.path + "/.local/share/secitem")
        // The specification: paths that are not absolute are to be ignored.
        #expect(
            try user(["XDG_DATA_HOME": "data", "HOME": folder.path + "/"]) == folder.path + "/.local/share/secitem")
        // Without the variables, the user database names the home folder, if that folder exists.
        if let home = try? user([:]) { #expect(home.hasSuffix("/.local/share/secitem")) }
    }

    // MARK: Not in order

    @Test func newerFormat_isUnavailable() throws {
        try makeStore()
        try change("PRAGMA user_version = \(StoreFormat.number + 1)")
        try expectRefusal(.unavailable, log: "newer")
    }

    /// The versions before the first release kept a table of migrations in the file.
    @Test func formatBeforeTheFirstRelease_isRefused_withWhatToDo() throws {
        try makeStore()
        try change("CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)")
        for format in [1, 2] {
            try change("PRAGMA user_version = \(format)")
            try expectRefusal(.unavailable, log: "security backup")
        }
    }

    /// Changes the closed store.
    private func change(_ sql: String) throws {
        let database = try Database(location.databasePath, .writing)
        try database.execute(sql)
        database.close()
    }

    @Test func newerKeyFile_isUnavailable() throws {
        try makeStore()
        var key = try Data(contentsOf: URL(fileURLWithPath: location.keyFilePath))
        key[7] = 2
        try write(key, location.keyFilePath)
        try expectRefusal(.corrupt, log: "device.key")
    }

    private func write(_ data: Data, _ path: String) throws {
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try file.truncate(atOffset: 0)
        try file.write(contentsOf: data)
        try file.close()
    }

    @Test func truncatedDatabase_isRefused() throws {
        try makeStore()
        let whole = try Data(contentsOf: URL(fileURLWithPath: location.databasePath))
        for count in [
            0, 1, 15, 16, 99, 100, 512, 4_095, 4_096, 8_192, whole.count / 2, whole.count - 4_096, whole.count - 1,
        ] {
            try write(whole.prefix(count), location.databasePath)
            try expectRefusal(.corrupt, log: "cannot be opened")
        }
        try write(whole, location.databasePath)
        #expect(try openStore(location).find(.password()).count == 1)
    }

    /// A copy over the database begins with an empty file. What is in the log alone comes back with the database.
    @Test func emptiedDatabase_keepsItsLog() throws {
        let store = try openStore(location)
        try store.insert((0..<40).map { .password(account: "\($0)") }, interaction: .forbidden)
        let reader = try openStore(location)
        let database = try Data(contentsOf: URL(fileURLWithPath: location.databasePath))
        let log = try Data(contentsOf: URL(fileURLWithPath: location.logPath))
        #expect(log.count > 32)
        let copy = try TemporaryFolder()
        let other = StoreLocation(folder: copy.path + "/keychain")
        try FileManager.default.copyItem(atPath: location.folder, toPath: other.folder)
        try FileManager.default.removeItem(atPath: other.databasePath + "-shm")
        #expect(truncate(other.databasePath, 0) == 0)
        expect(.corrupt) { _ = try openStore(other) }
        #expect(try Data(contentsOf: URL(fileURLWithPath: other.logPath)) == log)
        try write(database, other.databasePath)
        #expect(try openStore(other).find(.password()).count == 40)
        #expect(try reader.find(.password()).count == 40)
    }

    /// Wherever the file ends, it is used only if no page is cut.
    @Test func databaseThatEndsInAPage_isRefused() throws {
        let store = try openStore(location)
        try store.insert((0..<60).map { .password(account: "\($0)") }, interaction: .forbidden)
        _ = try store.rekey()
        let size = try Data(contentsOf: URL(fileURLWithPath: location.databasePath)).count
        for cut in [1, 100, 1_000, 2_000, 4_095] {
            #expect(truncate(location.databasePath, off_t(size - cut)) == 0)
            expect(.corrupt) { _ = try openStore(location) }
        }
    }

    @Test func otherFiles_areRefused() throws {
        try makeStore()
        try write(Data(repeating: 0x41, count: 10_000), location.databasePath)
        try expectRefusal(.corrupt, log: "cannot be opened")
        // A database of another program.
        try FileManager.default.removeItem(atPath: location.databasePath)
        #expect(FileManager.default.createFile(atPath: location.databasePath, contents: nil))
        chmod(location.databasePath, 0o600)
        try change("PRAGMA journal_mode = WAL; CREATE TABLE t (a)")
        try expectRefusal(.corrupt, log: "not a keychain")
    }

    @Test func missingKeyFile_isNotMadeAnew() throws {
        try makeStore()
        try FileManager.default.removeItem(atPath: location.keyFilePath)
        try expectRefusal(.corrupt, log: "missing")
    }

    @Test func keyFileOfAnotherStore_isRefused() throws {
        try makeStore()
        let other = try TemporaryFolder()
        _ = try openStore(other.location)
        try write(Data(contentsOf: URL(fileURLWithPath: other.location.keyFilePath)), location.keyFilePath)
        try expectRefusal(.corrupt, log: "another store")
    }

    @Test func damagedKeyFile_isRefused() throws {
        try makeStore()
        let key = try Data(contentsOf: URL(fileURLWithPath: location.keyFilePath))
        for index in key.indices {
            var damaged = key
            damaged[index] ^= 0x10
            try write(damaged, location.keyFilePath)
            try expectRefusal(.corrupt, log: "key file")
        }
        for count in [0, 1, 63] {
            try write(key.prefix(count), location.keyFilePath)
            try expectRefusal(.corrupt, log: "key file")
        }
    }

    @Test func foreignTrigger_isRefused() throws {
        try makeStore()
        try change("CREATE TRIGGER t AFTER INSERT ON item BEGIN DELETE FROM item; END")
        try expectRefusal(.corrupt, log: "schema")
    }

    @Test(arguments: [true, false]) func keyFileWithoutDatabase_isRefused(_ hasUnfinished: Bool) throws {
        try makeStore()
        unlink(location.databasePath + "-wal")
        if hasUnfinished {
            try FileManager.default.moveItem(atPath: location.databasePath, toPath: location.unfinishedDatabasePath)
        } else {
            unlink(location.databasePath)
        }
        try expectRefusal(.corrupt, log: "its key file exists")
    }

    @Test func logWithoutDatabase_isRefused() throws {
        try makeStore()
        // A closed store leaves an empty log.
        unlink(location.databasePath + "-wal")
        try FileManager.default.moveItem(atPath: location.databasePath, toPath: location.databasePath + "-wal")
        try expectRefusal(.corrupt, log: "write-ahead log")
    }

    @Test(.enabled(if: geteuid() != 0, "nothing is write-protected for root"))
    func writeProtectedFolder_isReadAndNotWritten() throws {
        try makeStore()
        chmod(location.folder, 0o500)
        defer { chmod(location.folder, 0o700) }
        let store = try openStore(location)
        #expect(try store.find(.password()).first?.secretData == Data("secret".utf8))
        expect(.readOnly) { try store.insert(.password(account: "other")) }
    }

    @Test func databaseDeletedWhileOpen_takesNoMoreWrites() throws {
        let store = try openStore(location)
        try store.insert(.password())
        try FileManager.default.removeItem(atPath: location.folder)
        expect(.unavailable) { try store.insert(.password(account: "lost")) }
        let new = try openStore(location)
        expect(.unavailable) { try store.insert(.password(account: "lost")) }
        #expect(try new.find(.password()).isEmpty)
    }

    @Test func folderThatCannotBeMade_isUnavailable() throws {
        try Data().write(to: URL(fileURLWithPath: folder.path + "/file"))
        expect(.unavailable) { _ = try openStore(StoreLocation(folder: folder.path + "/file/secitem")) }
        expect(.unavailable) { _ = try openStore(StoreLocation(folder: "relative")) }
    }
}

/// Tests that need their own file system. They are skipped if mounting is not allowed.
@Suite(.serialized, .enabled(if: Mount.isPossible, "only root may mount")) struct MediumTests {
    @Test func readOnlyMedium_isReadAndNotWritten() throws {
        let mount = try Mount(options: "size=8m")
        let location = StoreLocation(folder: mount.path + "/secitem")
        try openStore(location).insert(.password())
        try mount.remount("ro")
        let store = try openStore(location)
        #expect(try store.find(.password()).first?.secretData == Data("secret".utf8))
        expect(.readOnly) { try store.insert(.password(account: "other")) }
        expect(.readOnly) { try store.update(.password(), [.label: .string("x")]) }
        expect(.readOnly) { try store.delete(.password()) }
        try mount.remount("rw")
        #expect(try openStore(location).find(.password()).count == 1)
    }

    @Test func readOnlyMedium_withoutStore_isReadOnly() throws {
        let mount = try Mount(options: "size=1m")
        try mount.remount("ro")
        let location = StoreLocation(folder: mount.path + "/secitem")
        expect(.readOnly) { _ = try openStore(location) }
        // A look-up does not need an existing store.
        let store = try SQLiteStore(
            madeWhenNeeded: location, protector: KeyFileProtector(), cache: .none, logger: CollectedLog().logger)
        #expect(try store.find(.password()).isEmpty)
        #expect(try store.delete(.password()) == 0)
        expect(.readOnly) { try store.insert(.password()) }
    }

    @Test func fullDisk_isFull_andLosesNothing() throws {
        let mount = try Mount(options: "size=640k")
        let location = StoreLocation(folder: mount.path + "/secitem")
        let store = try openStore(location)
        var added: [String] = []
        var failure: StoreError?
        for number in 0..<1_000 where failure == nil {
            do throws(StoreError) {
                try store.insert(
                    .password(account: "\(number)", secret: Data(repeating: 1, count: 10_000)), interaction: .allowed)
                added.append("\(number)")
            } catch {
                failure = error
            }
        }
        #expect(failure?.code == .full, "\(String(describing: failure))")
        #expect(!added.isEmpty)
        #expect(try store.find(.password()).map(\.accountName) == added)
        try store.verify()
        expect(.full) { try store.insert(.password(account: "large", secret: Data(count: 1 << 20))) }
        #expect(try store.find(.password()).map(\.accountName) == added)
    }

    @Test(arguments: [16, 24, 32, 40]) func fullDisk_noNewStore(_ size: Int) throws {
        let mount = try Mount(options: "size=\(size)k")
        let location = StoreLocation(folder: mount.path + "/secitem")
        expect(.full) { _ = try openStore(location) }
        // Nothing is left that a later process would treat as a store without its database, or without its key.
        let left = Set(try location.contents().keys)
        #expect(left.isEmpty || left.isSuperset(of: ["device.key", "items.db"]), "\(left)")
    }
}

/// A small file system in memory.
private final class Mount {
    static let isPossible = (try? Mount(options: "size=64k")) != nil

    let path: String
    private let folder: TemporaryFolder

    init(options: String) throws {
        folder = try TemporaryFolder()
        path = folder.path
        try Self.run("mount", "-t", "tmpfs", "-o", options, "tmpfs", path)
    }

    deinit {
        try? Self.run("umount", "-l", path)
    }

    func remount(_ option: String) throws {
        try Self.run("mount", "-o", "remount,\(option)", path)
    }

    private struct Failure: Error {}

    private static func run(_ arguments: String...) throws {
        guard geteuid() == 0 else { throw Failure() }
        try Program(arguments[0], Array(arguments.dropFirst())).output()
    }
}

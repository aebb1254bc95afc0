// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemConformance
import SecItemMaintenance
import SecItemSQLite
import SecItemSealing
import SecItemStore
import TestSupport
import Testing

/// A backup has the items of the store. Only somebody with the passphrase can read it.
@Suite struct BackupTests {
    private let folder: TemporaryFolder
    private let passphrase = Secret(text: "correct horse")

    init() throws {
        folder = try TemporaryFolder()
    }

    private var path: String { folder.path + "/keychain.backup" }

    /// Where this device has its key.
    private var keyFile: BackupKeyFile { BackupKeyFile(folder: folder.path) }

    private func options(forThisDevice: Bool = false, replaces: Bool = false) -> Backup.Options {
        var options = Backup.Options()
        options.keyFile = keyFile
        options.isForThisDevice = forThisDevice
        options.replaces = replaces
        options.cost = .lowest
        return options
    }

    private func mode(_ path: String) throws -> Int {
        try #require(FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
    }

    // MARK: The law

    /// For random stores of every kind, restored into every kind: an empty store then has the same items, except those
    /// that must not leave the device.
    @Test(arguments: StoreKind.allCases, StoreKind.allCases)
    func restoreOfABackup_isTheStore(_ from: StoreKind, _ to: StoreKind) throws {
        var random = SeededGenerator(for: "restoreOfABackup_isTheStore \(from) \(to)")
        for round in RandomRounds.usually(2) {
            let source = try from.make(in: folder, "from\(round)")
            var items = RandomItems(random)
            let records = (0..<Int.random(in: 0...100, using: &random)).map { _ in items.next() }
            random = items.random
            for record in records { try source.insert(record) }
            let isForThisDevice = Bool.random(using: &random)
            let summary = try Backup.write(
                source, to: path, passphrase: passphrase,
                self.options(forThisDevice: isForThisDevice, replaces: true))
            let staying = isForThisDevice ? [] : records.filter { ItemRecord.isOfThisDeviceOnly($0) }
            let leaving = Set(records.map(\.everything)).subtracting(staying.map(\.everything))
            #expect(summary.items == leaving.count && summary.leftOut == staying.count && summary.damaged.isEmpty)
            let contents = try Backup.inspect(path, passphrase: passphrase, keyFile: keyFile)
            #expect(contents.count == leaving.count && contents.leftOut == staying.count)
            #expect(contents.isForThisDevice == isForThisDevice)
            let target = try to.make(in: folder, "to\(round)")
            var tally = try Backup.restore(path, into: target, passphrase: passphrase, keyFile: keyFile)
            #expect(tally.added == leaving.count && tally.isComplete && tally.leftOut == staying.count)
            #expect(try target.content() == leaving.sorted())
            // Restoring again changes nothing.
            tally = try Backup.restore(
                path, into: target, passphrase: passphrase, replacing: true, keyFile: keyFile)
            #expect(tally.same == leaving.count && tally.count == tally.same)
            #expect(try target.content() == leaving.sorted())
        }
    }

    /// Only the device that made it can read a backup with items that must not leave it, whoever knows the passphrase.
    @Test func backupForThisDevice_isForItAlone() throws {
        let store = InMemoryStore()
        try store.insert(.password("bound", accessible: .whenUnlockedThisDeviceOnly))
        _ = try Backup.write(store, to: path, passphrase: passphrase, self.options(forThisDevice: true))
        #expect(try mode(keyFile.path) == 0o600)
        let other = BackupKeyFile(folder: folder.path + "/other")
        #expect(code { _ = try Backup.inspect(path, passphrase: passphrase, keyFile: other) } == .unavailable)
        // One that has backups of its own.
        var ofOther = self.options(forThisDevice: true)
        ofOther.keyFile = other
        _ = try Backup.write(store, to: path + ".other", passphrase: passphrase, ofOther)
        let target = InMemoryStore()
        #expect(
            code { _ = try Backup.restore(path, into: target, passphrase: passphrase, keyFile: other) } == .unavailable)
        #expect(try target.content().isEmpty)
        let wrong = Secret(text: "wrong")
        #expect(code { _ = try Backup.inspect(path, passphrase: wrong, keyFile: keyFile) } == .authenticationFailed)
        // Nothing in the file says otherwise.
        let good = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        for position in 0..<88 {
            var bytes = good
            bytes[position] ^= 1
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            let found = code { _ = try Backup.inspect(path, passphrase: passphrase, keyFile: keyFile) }
            #expect(found == .corrupt, "\(position)")
        }
        var unbound = Array(good[..<64] + good[80...])
        unbound[12] = 0
        try Data(HeaderForgery.withChecksum(unbound)).write(to: URL(fileURLWithPath: path))
        let found = code { _ = try Backup.inspect(path, passphrase: passphrase, keyFile: keyFile) }
        #expect(found == .authenticationFailed)
        try Data(good).write(to: URL(fileURLWithPath: path))
        #expect(try Backup.restore(path, into: target, passphrase: passphrase, keyFile: keyFile).added == 1)
        // The second backup has the same key.
        _ = try Backup.write(store, to: path, passphrase: passphrase, self.options(forThisDevice: true, replaces: true))
        #expect(try Backup.inspect(path, passphrase: passphrase, keyFile: keyFile).count == 1)
    }

    /// An item that requires a proof is never in a backup, whether it is sealed or not. It is counted.
    @Test(arguments: StoreKind.allCases, [false, true])
    func guardedItem_isInNoBackup_andCounted(_ kind: StoreKind, _ hasPassword: Bool) throws {
        let constraints = try #require(
            hasPassword
                ? AccessConstraints(flags: .applicationPassword, password: PasswordSeal.newDerivation(.lowest))
                : AccessConstraints(flags: .userPresence))
        let guarded = ItemRecord.password("guarded", more: [.accessControl: .data(constraints.encoded)])
        let source = try kind.make(in: folder, "from"), target = try kind.make(in: folder, "to")
        for record in [guarded, .password("plain")] { try source.insert(record) }
        let summary = try Backup.write(source, to: path, passphrase: passphrase, self.options())
        #expect(summary.guarded == 1 && summary.items == 1)
        #expect(try Backup.inspect(path, passphrase: passphrase).leftOut == 1)
        _ = try Backup.restore(path, into: target, passphrase: passphrase)
        #expect(try target.password("plain") != nil)
        #expect(try target.password("guarded") == nil)
    }

    // MARK: The file

    @Test func file_isTheUsersAlone_andHasNothingBesideIt() throws {
        let store = InMemoryStore()
        try store.insert(.password("anna"))
        _ = try Backup.write(store, to: path, passphrase: passphrase, self.options())
        #expect(try mode(path) == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["keychain.backup"])
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        for word in ["anna", "secret", "group"] { #expect(bytes.range(of: Data(word.utf8)) == nil) }
    }

    @Test func fileThatIsThere_staysUnlessItMayBeReplaced() throws {
        let store = InMemoryStore()
        try Data("precious".utf8).write(to: URL(fileURLWithPath: path))
        #expect(
            code { _ = try Backup.write(store, to: path, passphrase: passphrase, self.options()) } == .duplicate)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "precious")
        try FileManager.default.removeItem(atPath: path)
        for options in [self.options(), self.options(replaces: true)] {
            _ = try Backup.write(store, to: path, passphrase: passphrase, options)
        }
        #expect(try Backup.inspect(path, passphrase: passphrase).count == 0)
        #expect(try mode(path) == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["keychain.backup"])
    }

    @Test func failure_leavesNoFile() throws {
        let store = InMemoryStore()
        try store.insert(.password("anna"))
        store.lock()
        #expect(code { _ = try Backup.write(store, to: path, passphrase: passphrase, self.options()) } == .locked)
        try store.unlock()
        #expect(
            code { _ = try Backup.write(store, to: path, passphrase: Secret(text: ""), self.options()) }
                == .unrepresentable)
        let nowhere = folder.path + "/none/file"
        #expect(
            code { _ = try Backup.write(store, to: nowhere, passphrase: passphrase, self.options()) } == .unavailable)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    }

    /// Only an earlier backup is replaced: never the keychain itself, another file, or anything that is not a regular
    /// file.
    @Test func replacing_takesThePlaceOfABackupAlone() throws {
        let store = try StoreKind.embedded.make(in: folder, "keychain")
        try store.insert(.password("anna"))
        var options = self.options()
        options.replaces = true
        let files = ["items.db", "device.key"].map { folder.path + "/keychain/" + $0 }
        let other = folder.path + "/passphrase", link = folder.path + "/link", pipe = folder.path + "/pipe"
        try Data("passphrase".utf8).write(to: URL(fileURLWithPath: other))
        _ = try Backup.write(store, to: path, passphrase: passphrase, options)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        #expect(mkfifo(pipe, 0o600) == 0)
        for place in files + [other, link, pipe, folder.path] {
            let before = try? Data(contentsOf: URL(fileURLWithPath: place == pipe ? other : place))
            #expect(
                code { _ = try Backup.write(store, to: place, passphrase: passphrase, options) } == .duplicate,
                "\(place)")
            #expect(before == (try? Data(contentsOf: URL(fileURLWithPath: place == pipe ? other : place))))
        }
        _ = try Backup.write(store, to: path, passphrase: passphrase, options)
        #expect(try store.content().count == 1)
    }

    @Test func wrongPassphrase_isToldFromADamagedFile() throws {
        _ = try Backup.write(InMemoryStore(), to: path, passphrase: passphrase, self.options())
        for wrong in ["", "correct hors", "correct horse ", "correct horse\0", "Correct horse"] {
            #expect(
                code { _ = try Backup.inspect(path, passphrase: Secret(text: wrong)) } == .authenticationFailed)
        }
        #expect(code { _ = try Backup.inspect(folder.path, passphrase: passphrase) } == .corrupt)
        #expect(code { _ = try Backup.inspect(path + "x", passphrase: passphrase) } == .unavailable)
    }

    /// Reading somebody else's file has a limited cost. Nobody waits for minutes, or loses a gigabyte of memory.
    @Test func expensiveHeader_isRefused() throws {
        _ = try Backup.write(InMemoryStore(), to: path, passphrase: passphrase, self.options())
        let good = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        for (position, value) in [
            (9, 23), (9, 63), (9, 255), (9, 0), (10, 255), (10, 0), (11, 16), (11, 0), (12, 1), (12, 2), (13, 1),
        ] {
            var bytes = good
            bytes[position] = UInt8(value)
            try Data(HeaderForgery.withChecksum(bytes)).write(to: URL(fileURLWithPath: path))
            #expect(code { _ = try Backup.inspect(path, passphrase: passphrase) } == .corrupt, "\(position) \(value)")
        }
        var bytes = good
        bytes[8] = 2
        try Data(HeaderForgery.withChecksum(bytes)).write(to: URL(fileURLWithPath: path))
        #expect(code { _ = try Backup.inspect(path, passphrase: passphrase) } == .unavailable)
    }

    // MARK: Damage

    /// A file that was changed, or that was never a backup, gives an error, and nothing is restored.
    @Test func changedFile_isRefused() throws {
        var random = SeededGenerator()
        let small = InMemoryStore(), large = InMemoryStore()
        try small.insert(.password("anna"))
        for account in ["a", "b", "c", "d"] {
            try large.insert(.password(account, String(repeating: account, count: 50_000)))
        }
        var files: [[UInt8]] = []
        for store in [small, large] {
            _ = try Backup.write(store, to: path, passphrase: passphrase, self.options(replaces: true))
            files.append([UInt8](try Data(contentsOf: URL(fileURLWithPath: path))))
        }
        for round in RandomRounds.usually(1000) {
            let file = files[round % 100 == 0 ? 1 : 0]
            let bytes = Self.changed(file, other: files[1], &random)
            if bytes == file { continue }
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            let target = InMemoryStore()
            let found = code { _ = try Backup.restore(path, into: target, passphrase: passphrase) }
            #expect(found == .corrupt || found == .authenticationFailed || found == .unavailable, "\(round)")
            #expect(try target.content().isEmpty)
        }
    }

    private static func changed(_ file: [UInt8], other: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
        var bytes = file
        let position = Int.random(in: 0..<file.count, using: &random)
        switch Int.random(in: 0..<7, using: &random) {
        case 0, 1: bytes[position] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 2: bytes.removeLast(file.count - position)
        case 3: bytes.append(contentsOf: (0...position % 40).map { _ in UInt8.random(in: 0...255, using: &random) })
        case 4: bytes = (0..<position % 500).map { _ in UInt8.random(in: 0...255, using: &random) }
        case 5:
            // The chunks of another backup, or of this one in another order.
            let chunk = 4 + 65_536 + 16
            let tail = file.count > 72 + 2 * chunk ? Array(file[(72 + chunk)..<(72 + 2 * chunk)]) : Array(other[72...])
            bytes = Array(file[..<72]) + tail
            if file.count > 72 + 2 * chunk { bytes += file[72..<(72 + chunk)] + file[(72 + 2 * chunk)...] }
        default: bytes.remove(at: position)
        }
        return bytes
    }

    @Test func damagedItem_isAnErrorUnlessItMayBeLeftOut() throws {
        let store = try embeddedStore(folder)
        for number in 0..<5 { try store.insert(.password("\(number)")) }
        try damageRow(3, in: folder.path + "/store")
        let again = try embeddedStore(folder)
        #expect(code { _ = try Backup.write(again, to: path, passphrase: passphrase, self.options()) } == .corrupt)
        var options = self.options()
        options.leavesOutDamaged = true
        let summary = try Backup.write(again, to: path, passphrase: passphrase, options)
        #expect(summary.items == 4 && summary.damaged.map(\.place) == ["in row 3"])
    }

    // MARK: While others use the store

    /// If two items change together, a backup never has them from two different moments.
    @Test func backup_isOfOneMoment() throws {
        let store = try embeddedStore(folder)
        let accounts = (0..<40).map { "item \($0)" }
        for account in accounts { try store.insert(.password(account, "0")) }
        let isOver = LockedValue(false)
        let writer = Thread {
            for number in 1... where !isOver.withLock({ $0 }) {
                let steps = ["item 0", "item 39"].map { account in
                    RecordUpdate(
                        RecordFilter(itemClass: .genericPassword, attributes: [.account: .string(account)]),
                        applying: RecordChanges(
                            attributes: [:], secrets: [.valueData: Secret(text: "\(number)")]))
                }
                _ = try? store.update(steps, interaction: .allowed)
                if isOver.withLock({ $0 }) { return }
            }
        }
        writer.start()
        defer { isOver.withLock { $0 = true } }
        for round in 0..<40 {
            let file = path + "\(round)"
            _ = try Backup.write(store, to: file, passphrase: passphrase, self.options())
            let target = InMemoryStore()
            _ = try Backup.restore(file, into: target, passphrase: passphrase)
            #expect(try target.password("item 0")?.text == target.password("item 39")?.text)
        }
    }

    @Test func accessGroups_narrowWhatIsMeant() throws {
        let store = InMemoryStore()
        for group in ["a", "b", "é", "e\u{301}"] { try store.insert(.password("anna", group: group)) }
        var options = self.options()
        options.accessGroups = ["a", "é"]
        #expect(try Backup.write(store, to: path, passphrase: passphrase, options).items == 2)
        let target = InMemoryStore()
        let tally = try Backup.restore(path, into: target, passphrase: passphrase, accessGroups: ["é", "b"])
        #expect(tally.added == 1)
        #expect(try target.password("anna")?.attributes[.accessGroup]?.matchKey == AttributeValue.string("é").matchKey)
    }
}

extension ItemRecord {
    static func isOfThisDeviceOnly(_ record: ItemRecord) -> Bool {
        record.attributes[.accessible]?.string?.hasSuffix("u") ?? false
    }
}

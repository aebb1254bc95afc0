// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemSQLite
import SecItemSealing
import SecItemStore

/// A keychain's items in one file, under a passphrase. `docs/backup-format.md` describes it.
package enum Backup {
    /// What to write.
    package struct Options: Sendable {
        /// Whether items of this device alone are in it too: a backup to be restored on this very device.
        package var isForThisDevice = false
        /// Whether a file of that name may be replaced.
        package var replaces = false
        /// Whether items that cannot be read are left out. Otherwise one of them is an error.
        package var leavesOutDamaged = false
        /// The access groups whose items are meant; nil for all.
        package var accessGroups: [String]?
        /// What deriving a key from the passphrase costs.
        package var cost = ScryptCost.standard

        package init() {}
    }

    /// What was written.
    package struct Summary: Sendable, Equatable {
        package var items = 0
        /// Items of this device alone that are not in it.
        package var leftOut = 0
        /// Items that were left out because somebody has to prove something for them.
        package var guarded = 0

        /// Items that could not be read.
        package var damaged: [DamagedItem] = []

        /// All that were left out, but for damaged ones.
        fileprivate var missing: Int { leftOut + guarded }
    }

    /// Writes the items of a store, all as they are at one moment, and reads them back before the file gets its name.
    ///
    /// - Parameters:
    ///   - store: The store, which others may use meanwhile.
    ///   - path: The file.
    ///   - passphrase: What the file is encrypted under.
    /// - Throws: ``StoreError/Code/duplicate`` when there is a file of that name, and it may not be replaced;
    ///   ``StoreError/Code/authenticationFailed`` when the passphrase is empty; ``StoreError/Code/corrupt`` when an item
    ///   cannot be read; ``StoreError/Code/locked`` when the store is. Then there is no file, or the old one.
    package static func write(
        _ store: any KeychainStore, to path: String, passphrase: Secret, _ options: Options = Options(),
        interaction: Interaction = .allowed, progress: MaintenanceProgress = .unwatched
    ) throws(StoreError) -> Summary {
        try checkPlace(path, replaces: options.replaces)
        let file = try UnnamedFile(becoming: path)
        let header = try BackupHeader(
            passphrase: passphrase, isForThisDevice: options.isForThisDevice, cost: options.cost)
        var writer = try BackupWriter(file.descriptor, header)
        var summary = Summary()
        try StoreSurvey.run(store, interaction: interaction) { (item) throws(StoreError) in
            switch item {
            case .item(let record):
                guard options.means(record) else { return }
                if record.needsProof {
                    // A backup asks nobody, and whoever makes it knows its passphrase.
                    summary.guarded += 1
                } else if record.accessible.isOfThisDeviceOnly && !options.isForThisDevice {
                    summary.leftOut += 1
                } else {
                    try writer.write(record)
                    summary.items += 1
                    progress.tell(summary.items)
                }
            case .locked: throw StoreError(.locked, "the store is locked")
            case .guarded(let record):
                if options.means(record) { summary.guarded += 1 }
            case .damaged(let item):
                guard options.leavesOutDamaged else {
                    throw StoreError(.corrupt, "the item \(item.place) \(item.damage)")
                }
                summary.damaged.append(item)
            }
        }
        try writer.finish(leftOut: summary.missing)
        try verify(file.descriptor, passphrase, summary)
        try checkPlace(path, replaces: options.replaces)
        try file.finish(replacing: options.replaces)
        return summary
    }

    /// - Throws: ``StoreError/Code/duplicate`` when something of that name is there that a backup must not take the place of:
    ///   only an earlier backup can be replaced, never the keychain itself, a passphrase file or a device.
    private static func checkPlace(_ path: String, replaces: Bool) throws(StoreError) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard replaces else { throw StoreError(.duplicate, "\(path) already exists") }
        guard status.st_mode & S_IFMT == S_IFREG, BackupHeader.begins(path) else {
            throw StoreError(.duplicate, "\(path) exists and is not a backup, so it is not replaced")
        }
    }

    private static func verify(_ file: Int32, _ passphrase: Secret, _ summary: Summary) throws(StoreError) {
        guard lseek(file, 0, SEEK_SET) == 0 else { throw PlainFile.failure("the backup cannot be read back") }
        let reader = try BackupReader(file, passphrase: passphrase)
        while try reader.next() != nil {}
        guard reader.count == summary.items, reader.leftOut == summary.missing else {
            throw StoreError(.io, "the backup differs from what was written")
        }
    }

    // MARK: Restoring

    /// What a backup has.
    package struct Contents: Sendable, Equatable {
        /// The number of items by class.
        package var items: [ItemClass: Int] = [:]
        package var leftOut = 0
        package var isForThisDevice = false

        package var count: Int { items.values.reduce(0, +) }
    }

    /// Reads a whole backup.
    ///
    /// - Throws: ``StoreError/Code/authenticationFailed`` when the passphrase is wrong; ``StoreError/Code/corrupt`` when it
    ///   is no backup, or not as it was written.
    package static func inspect(_ path: String, passphrase: Secret) throws(StoreError) -> Contents {
        let file = try BackupFile(path)
        return try contents(BackupReader(file.descriptor, passphrase: passphrase))
    }

    private static func contents(_ reader: BackupReader) throws(StoreError) -> Contents {
        var contents = Contents()
        contents.isForThisDevice = reader.isForThisDevice
        while let record = try reader.next() { contents.items[record.itemClass, default: 0] += 1 }
        contents.leftOut = reader.leftOut
        return contents
    }

    /// Puts a backup's items into a store. The whole backup is read first: of one that is not whole, nothing is restored.
    ///
    /// It may be done again after a crash, to the same end.
    ///
    /// - Parameters:
    ///   - path: The backup.
    ///   - store: Where the items go.
    ///   - replaces: Whether items that are there with another content get the backup's.
    ///   - accessGroups: The access groups whose items are meant; nil for all.
    /// - Returns: What became of the items.
    /// - Throws: As ``inspect(_:passphrase:)``, and what speaks against the store. What was restored until then stays.
    package static func restore(
        _ path: String, into store: any KeychainStore, passphrase: Secret, replacing replaces: Bool = false,
        accessGroups: [String]? = nil, interaction: Interaction = .allowed,
        progress: MaintenanceProgress = .unwatched
    ) throws(StoreError) -> TransferTally {
        let file = try BackupFile(path)
        let reader = try BackupReader(file.descriptor, passphrase: passphrase)
        let count = try contents(reader).count
        try reader.rewind()
        var options = Options()
        options.accessGroups = accessGroups
        var transfer = ItemTransfer(into: store, replacing: replaces, interaction: interaction)
        var done = 0
        while let record = try reader.next() {
            if options.means(record) { try transfer.put(record) }
            done += 1
            progress.tell(done, of: count)
        }
        try transfer.flush()
        return transfer.tally
    }
}

extension Backup.Options {
    /// Whether the item is in one of the groups that are meant. Groups are compared byte by byte.
    fileprivate func means(_ record: ItemRecord) -> Bool {
        guard let accessGroups else { return true }
        let own = record.attributes[.accessGroup] ?? .string("")
        return accessGroups.contains { AttributeValue.string($0).matchKey == own.matchKey }
    }
}

/// A backup, opened to be read.
private final class BackupFile {
    let descriptor: Int32

    init(_ path: String) throws(StoreError) {
        // O_NONBLOCK: to open a pipe that nobody writes to would wait for ever.
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw PlainFile.failure("\(path) cannot be opened") }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            // What is made so far is closed with the object.
            throw StoreError(.corrupt, "\(path) is not a keychain's backup")
        }
    }

    deinit {
        close(descriptor)
    }
}

extension ItemRecord {
    /// Whether somebody has to prove something before the secrets are given out, or it cannot be told.
    fileprivate var needsProof: Bool {
        guard isConstrained else { return false }
        return (try? constraints)?.needsProof ?? true
    }
}

// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemSQLite
import SecItemSealing
import SecItemStore

/// A keychain's items in one file under a passphrase. `docs/backup-format.md` describes it.
package enum Backup {
    package struct Options: Sendable {
        /// Whether to include items that must not leave this device. Only this device can restore such a backup.
        package var isForThisDevice = false
        /// Where the device key is; nil for the user's file.
        package var keyFile: BackupKeyFile?
        /// Whether an existing file of that name may be replaced.
        package var replaces = false
        /// Whether a backup without items may replace one that has some, or that another passphrase opens.
        package var mayReplaceByNothing = true
        /// Whether items that cannot be read are left out. Otherwise one of them is an error.
        package var leavesOutDamaged = false
        /// The access groups whose items are included; nil for all.
        package var accessGroups: [String]?
        /// The scrypt cost for the passphrase.
        package var cost = ScryptCost.standard

        package init() {}
    }

    package struct Summary: Sendable, Equatable {
        package var items = 0
        /// Items that were left out because they must not leave this device.
        package var leftOut = 0
        /// Items that were left out because they need a proof.
        package var guarded = 0

        /// Items that could not be read.
        package var damaged: [DamagedItem] = []

        /// All items that were left out, except damaged ones.
        fileprivate var missing: Int { leftOut + guarded }
    }

    /// Writes the items of a store, all as of one moment, and reads them back before the file gets its name.
    ///
    /// - Parameters:
    ///   - store: The store. Others may use it meanwhile.
    ///   - path: The file.
    ///   - passphrase: The passphrase that encrypts the file.
    /// - Throws: ``StoreError/Code/duplicate`` if a file of that name exists and may not be replaced, or not by a backup
    ///   without items; ``StoreError/Code/unrepresentable`` if the passphrase is empty;
    ///   ``StoreError/Code/corrupt`` if an item cannot be read; ``StoreError/Code/locked`` if the store is locked. Then
    ///   there is no file, or the old one.
    package static func write(
        _ store: any KeychainStore, to path: String, passphrase: Secret, _ options: Options = Options(),
        interaction: Interaction = .allowed, progress: MaintenanceProgress = .unwatched
    ) throws(StoreError) -> Summary {
        try checkPlace(path, replaces: options.replaces)
        let file = try UnnamedFile(becoming: path)
        var device: DeviceKey?
        if options.isForThisDevice { device = try BackupKeyFile.given(options.keyFile).makeKey() }
        let header = try BackupHeader(passphrase: passphrase, device: device, cost: options.cost)
        var writer = try BackupWriter(file.descriptor, header)
        var summary = Summary()
        try StoreSurvey.run(store, interaction: interaction) { (item) throws(StoreError) in
            switch item {
            case .item(let record):
                guard options.means(record), !record.isTombstone else { return }
                if record.needsProof {
                    // A backup does not prompt, and whoever makes it knows its passphrase.
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
        try verify(file.descriptor, passphrase, options.keyFile, summary)
        try checkPlace(path, replaces: options.replaces)
        if summary.items == 0 && !options.mayReplaceByNothing { try requireNothing(in: path, passphrase) }
        try file.finish(replacing: options.replaces)
        return summary
    }

    /// - Throws: ``StoreError/Code/duplicate`` if there is a backup with items, or whose items cannot be counted.
    private static func requireNothing(in path: String, _ passphrase: Secret) throws(StoreError) {
        var status = stat()
        if lstat(path, &status) != 0 && errno == ENOENT { return }
        if let contents = try? inspect(path, passphrase: passphrase), contents.count == 0 { return }
        throw StoreError(
            .duplicate, "\(path) is not replaced, because the new backup would have 0 items: --allow-empty replaces it",
            underlying: FileFailure())
    }

    /// - Throws: ``StoreError/Code/duplicate`` if something of that name must not be replaced. Only an earlier backup
    ///   can be replaced, never the keychain itself, a passphrase file or a device.
    private static func checkPlace(_ path: String, replaces: Bool) throws(StoreError) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard replaces else {
            throw StoreError(.duplicate, "\(path) already exists", underlying: FileFailure())
        }
        guard status.st_mode & S_IFMT == S_IFREG, BackupHeader.begins(path) else {
            throw StoreError(
                .duplicate, "\(path) exists and is not a backup, so it is not replaced", underlying: FileFailure())
        }
    }

    /// Checks that a backup can be written there, before anybody types a passphrase for it.
    ///
    /// - Throws: As ``write(_:to:passphrase:_:interaction:progress:)`` for such a file.
    package static func requirePlace(_ path: String, replaces: Bool) throws(StoreError) {
        try checkPlace(path, replaces: replaces)
        _ = try UnnamedFile(becoming: path)
    }

    private static func verify(
        _ file: Int32, _ passphrase: Secret, _ keyFile: BackupKeyFile?, _ summary: Summary
    ) throws(StoreError) {
        guard lseek(file, 0, SEEK_SET) == 0 else { throw PlainFile.failure("the backup cannot be read back") }
        let reader = try BackupReader(file, passphrase: passphrase, keyFile)
        while try reader.next() != nil {}
        guard reader.count == summary.items, reader.leftOut == summary.missing else {
            throw StoreError(.io, "the backup differs from what was written")
        }
    }

    // MARK: Restoring

    package struct Contents: Sendable, Equatable {
        package var items: [ItemClass: Int] = [:]
        package var leftOut = 0
        package var isForThisDevice = false

        package var count: Int { items.values.reduce(0, +) }
    }

    /// Checks that the file can be read and begins as a backup does, before anybody types a passphrase for it.
    ///
    /// - Throws: As ``inspect(_:passphrase:)`` for a file that is none.
    package static func requireBackup(_ path: String) throws(StoreError) {
        let file = try BackupFile(path)
        _ = try BackupHeader.cost(of: BackupHeader.bytes(of: file.descriptor))
    }

    /// Reads a whole backup.
    ///
    /// - Throws: ``StoreError/Code/authenticationFailed`` if the passphrase is wrong; ``StoreError/Code/corrupt`` if
    ///   the file is not a backup, or not as it was written; ``StoreError/Code/unavailable`` if only another device can
    ///   read it.
    package static func inspect(
        _ path: String, passphrase: Secret, keyFile: BackupKeyFile? = nil
    ) throws(StoreError) -> Contents {
        let file = try BackupFile(path)
        return try contents(BackupReader(file.descriptor, passphrase: passphrase, keyFile))
    }

    private static func contents(_ reader: BackupReader) throws(StoreError) -> Contents {
        var contents = Contents()
        contents.isForThisDevice = reader.isForThisDevice
        while let record = try reader.next() { contents.items[record.itemClass, default: 0] += 1 }
        contents.leftOut = reader.leftOut
        return contents
    }

    /// Restores a backup's items into a store. The whole backup is read first; from an incomplete one, nothing is
    /// restored.
    ///
    /// It can be repeated after a crash; the result is the same.
    ///
    /// - Parameters:
    ///   - path: The backup.
    ///   - store: The store that receives the items.
    ///   - replaces: Whether existing items with different content get the backup's content.
    ///   - accessGroups: The access groups whose items are restored; nil for all.
    ///   - keyFile: Where the device key is; nil for the user's file.
    /// - Returns: What happened to the items.
    /// - Throws: As ``inspect(_:passphrase:)``, and the errors of the store. Items restored until then stay.
    package static func restore(
        _ path: String, into store: any KeychainStore, passphrase: Secret, replacing replaces: Bool = false,
        accessGroups: [String]? = nil, keyFile: BackupKeyFile? = nil, interaction: Interaction = .allowed,
        progress: MaintenanceProgress = .unwatched
    ) throws(StoreError) -> TransferTally {
        let file = try BackupFile(path)
        let reader = try BackupReader(file.descriptor, passphrase: passphrase, keyFile)
        let contents = try contents(reader), count = contents.count
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
        var tally = transfer.tally
        tally.leftOut = contents.leftOut
        return tally
    }
}

extension Backup.Options {
    /// Whether the item is in one of the selected groups. Groups are compared byte by byte.
    fileprivate func means(_ record: ItemRecord) -> Bool {
        RecordFilter(itemClass: record.itemClass, accessGroups: accessGroups).matches(record)
    }
}

/// A backup that is open for reading.
private final class BackupFile {
    let descriptor: Int32

    init(_ path: String) throws(StoreError) {
        // O_NONBLOCK: opening a pipe without a writer would wait for ever.
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw PlainFile.failure("\(path) cannot be opened") }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            // The object closes what was opened so far.
            throw StoreError(.corrupt, "\(path) is not a keychain's backup")
        }
    }

    deinit {
        close(descriptor)
    }
}

extension ItemRecord {
    /// Whether a proof is needed before the secrets are released, or whether that cannot be determined.
    fileprivate var needsProof: Bool {
        guard isConstrained else { return false }
        return (try? constraints)?.needsProof ?? true
    }
}

// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import SecItemShim
import SecItemStore

extension LinuxKeychain {
    /// The result of ``LinuxKeychain/backUp(to:passphrase:forThisDevice:replacing:)``.
    public struct BackupSummary: Sendable, Hashable {
        /// How many items are in the backup.
        public let items: Int
        /// How many items were left out because they must not leave this device.
        public let leftOut: Int
        /// How many items were left out because reading them needs a proof: items whose access control has constraints.
        public let guarded: Int
    }

    /// The result of ``LinuxKeychain/restore(from:passphrase:replacing:)``, as numbers of items.
    public struct RestoreSummary: Sendable, Hashable {
        /// Items that are not in the backup, because they were not to leave their device or needed a proof.
        public let leftOut: Int
        /// Items that were added.
        public let added: Int
        /// Items that already existed with the same content.
        public let same: Int
        /// Items that existed with different content, and now have the backup's.
        public let replaced: Int
        /// Items that exist with different content, and keep it.
        public let different: Int
        /// Items that the store cannot hold, or must not.
        public let refused: Int
    }

    /// Writes this application's items into a file that is encrypted under a passphrase.
    ///
    /// The file holds all items as of one moment, with their attributes, dates and persistent references. It is read
    /// back before it gets its name. No other user may read it. Items whose access control has constraints are left out
    /// and counted: a backup does not prompt, and whoever makes it could read them in it.
    ///
    /// - Parameters:
    ///   - file: The file to write.
    ///   - passphrase: The passphrase that encrypts the file. Anyone who has the file can try passphrases at scrypt's
    ///     cost per guess, so choose a strong one.
    ///   - forThisDevice: Whether to include items that must not leave this device (`…ThisDeviceOnly`). Nobody can restore
    ///     such a backup without the file `backup.key` in this user's folder for data, which the first one makes.
    ///   - replacing: Whether to replace an existing file of that name.
    /// - Returns: How many items are in the file, and how many were left out.
    /// - Throws: ``LinuxKeychain/Failure`` with `errSecDuplicateItem` if a file of that name exists, `errSecParam`
    ///   if the passphrase is empty, `errSecDecode` if an item is damaged, `errSecInteractionNotAllowed` if the store
    ///   is locked. Then no file was written.
    @discardableResult
    public static func backUp(
        to file: URL, passphrase: Data, forThisDevice: Bool = false, replacing: Bool = false
    ) throws -> BackupSummary {
        let secret = Secret(passphrase)
        return try failing { () throws(KeychainError) in
            var options = Backup.Options()
            options.isForThisDevice = forThisDevice
            options.replaces = replacing
            options.accessGroups = try client.readableGroups(naming: nil)
            let store = try chosenStore().store
            return try forClient { () throws(StoreError) in
                let summary = try Backup.write(store, to: file.path, passphrase: secret, options)
                return BackupSummary(
                    items: summary.items, leftOut: summary.leftOut, guarded: summary.guarded)
            }
        }
    }

    /// Restores the items of a backup into this application's keychain, each as it was. The backup is a file of
    /// ``backUp(to:passphrase:forThisDevice:replacing:)``.
    ///
    /// The whole backup is read first, and each restored item is read back. You may call this again after a crash; the
    /// result is the same. Items of access groups that the application may not use are skipped.
    ///
    /// - Parameters:
    ///   - file: The backup.
    ///   - passphrase: The passphrase of the backup.
    ///   - replacing: Whether existing items with different content get the backup's content. Otherwise they stay as
    ///     they are.
    /// - Returns: What happened to the items.
    /// - Throws: ``LinuxKeychain/Failure`` with `errSecAuthFailed` if the passphrase is wrong, or `errSecDecode` if the
    ///   file is not a complete backup, or `errSecNotAvailable` if only another device can restore it; then nothing was
    ///   restored. `errSecInteractionNotAllowed` if the store is locked.
    @discardableResult
    public static func restore(
        from file: URL, passphrase: Data, replacing: Bool = false
    ) throws -> RestoreSummary {
        let secret = Secret(passphrase)
        return try failing { () throws(KeychainError) in
            let groups = try client.readableGroups(naming: nil)
            let store = try chosenStore().store
            return try forClient { () throws(StoreError) in
                let tally = try Backup.restore(
                    file.path, into: store, passphrase: secret, replacing: replacing, accessGroups: groups)
                return RestoreSummary(
                    leftOut: tally.leftOut, added: tally.added, same: tally.same, replaced: tally.replaced,
                    different: tally.different,
                    refused: tally.refused)
            }
        }
    }
}

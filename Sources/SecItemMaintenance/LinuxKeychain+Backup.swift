// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import SecItemShim
import SecItemStore

extension LinuxKeychain {
    /// What ``LinuxKeychain/backUp(to:passphrase:forThisDevice:replacing:)`` has written.
    public struct BackupSummary: Sendable, Hashable {
        /// How many items are in the backup.
        public let items: Int
        /// How many are not, as they must not leave this device.
        public let leftOut: Int
        /// How many are not, as somebody has to prove something for them: items whose access control has constraints.
        public let guarded: Int
    }

    /// What became of a backup's items.
    public struct RestoreSummary: Sendable, Hashable {
        /// Items that were not there.
        public let added: Int
        /// Items that were there already, with the same content.
        public let same: Int
        /// Items that were there with another content, which is replaced.
        public let replaced: Int
        /// Items that are there with another content, which stays.
        public let different: Int
        /// Items that the store cannot hold, or must not.
        public let refused: Int
    }

    /// Writes this application's items into a file that is encrypted under a passphrase.
    ///
    /// All are in it as they were at one moment, with their attributes, dates and persistent references. The file is read
    /// back before it gets its name. No other user may read it. Items whose access control has constraints are not in it,
    /// but counted: a backup asks nobody, and its maker could read them in it.
    ///
    /// - Parameters:
    ///   - file: The file to make.
    ///   - passphrase: What encrypts it. Whoever has the file can try passphrases at scrypt's cost, so choose a strong one.
    ///   - forThisDevice: Whether items are in it that must not leave this device (`…ThisDeviceOnly`): for a backup that is
    ///     restored on this very device. They are left out otherwise.
    ///   - replacing: Whether a file of that name may be replaced.
    /// - Returns: How many items are in it.
    /// - Throws: ``LinuxKeychain/Failure`` with `errSecDuplicateItem` when there is a file of that name,
    ///   `errSecAuthFailed` when the passphrase is empty, `errSecDecode` when an item is damaged,
    ///   `errSecInteractionNotAllowed` when the store is locked. Then nothing was written.
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
            do throws(StoreError) {
                let summary = try Backup.write(store, to: file.path, passphrase: secret, options)
                return BackupSummary(
                    items: summary.items, leftOut: summary.leftOut, guarded: summary.guarded)
            } catch {
                throw KeychainError(error)
            }
        }
    }

    /// Puts the items of a backup into this application's keychain, each as it was: what
    /// ``backUp(to:passphrase:forThisDevice:replacing:)`` has written.
    ///
    /// The whole backup is read first, and each item is read back. It may be called again after a crash, to the same end.
    /// Items of access groups that the application may not use are passed over.
    ///
    /// - Parameters:
    ///   - file: The backup.
    ///   - passphrase: What encrypts it.
    ///   - replacing: Whether items that are there with another content get the backup's. They stay as they are otherwise.
    /// - Returns: What became of the items.
    /// - Throws: ``LinuxKeychain/Failure`` with `errSecAuthFailed` when the passphrase is wrong, `errSecDecode` when the file
    ///   is not a whole backup; then nothing was restored. `errSecInteractionNotAllowed` when the store is locked.
    @discardableResult
    public static func restore(
        from file: URL, passphrase: Data, replacing: Bool = false
    ) throws -> RestoreSummary {
        let secret = Secret(passphrase)
        return try failing { () throws(KeychainError) in
            let groups = try client.readableGroups(naming: nil)
            let store = try chosenStore().store
            do throws(StoreError) {
                let tally = try Backup.restore(
                    file.path, into: store, passphrase: secret, replacing: replacing, accessGroups: groups)
                return RestoreSummary(
                    added: tally.added, same: tally.same, replaced: tally.replaced, different: tally.different,
                    refused: tally.refused)
            } catch {
                throw KeychainError(error)
            }
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemSQLite
import SecItemSealing
import SecItemStore

/// The device key of backups that only this device may restore: a file of this user.
///
/// It is not the key of one store, because such a backup is of any store, and is restored into any store of this device. A
/// store's own key also changes with `rekey`.
package struct BackupKeyFile: Sendable {
    package let path: String
    private let folder: String

    package init(folder: String) {
        self.folder = folder
        path = folder + "/backup.key"
    }

    /// The user's file, beside the embedded store.
    ///
    /// - Throws: ``StoreError/Code/unavailable`` if the user has no folder for data.
    package static func user() throws(StoreError) -> BackupKeyFile {
        BackupKeyFile(folder: try StoreLocation.user().folder)
    }

    /// The file that is given, or else the user's.
    static func given(_ file: BackupKeyFile?) throws(StoreError) -> BackupKeyFile {
        if let file { return file }
        return try user()
    }

    /// The key, made by the first backup.
    func makeKey() throws(StoreError) -> DeviceKey {
        if let key = try key() { return key }
        try OwnFolder.make(folder)
        guard OwnFolder.isPrivate(folder) else {
            throw StoreError(
                .unavailable, "\(folder) is refused: it is not a folder of this user alone", underlying: FileFailure())
        }
        let new = try DeviceKey()
        let file = try UnnamedFile(becoming: path)
        try new.file.withUnsafeBytes { (bytes) throws(StoreError) in
            try PlainFile.write(Array(bytes), to: file.descriptor)
        }
        do throws(StoreError) { try file.finish(replacing: false) } catch {
            // Another backup has made one meanwhile.
            guard error.code == .duplicate, let key = try key() else { throw error }
            return key
        }
        return new
    }

    /// The key; nil if there is none.
    ///
    /// - Throws: ``StoreError/Code/unavailable`` if others may read it, ``StoreError/Code/corrupt`` if it is damaged.
    func key() throws(StoreError) -> DeviceKey? {
        var status = stat()
        if lstat(path, &status) != 0 && (errno == ENOENT || errno == ENOTDIR) { return nil }
        return try DeviceKey(file: SecretFile(path: path, name: "key for backups").content(), path: path)
    }
}

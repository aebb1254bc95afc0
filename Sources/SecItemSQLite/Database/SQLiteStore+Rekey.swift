// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemSealing
import SecItemStore

extension SQLiteStore {
    /// Replaces all keys of the store: the device key, the root key, and the keys that seal items. Use it if others may
    /// have obtained the files or keys.
    ///
    /// Each item is sealed again in a new database, which is read back and then replaces the old one. A crash at any
    /// moment leaves either the complete old store or the complete new one. The passphrase, or other protection of the
    /// root key, stays the same.
    ///
    /// Afterwards, this store object and those of other processes throw ``SecItemStore/StoreError/Code/unavailable``,
    /// because they hold the old keys. Open the store again.
    ///
    /// - Parameter passphrase: The passphrase; nil to read it from the store's configured source.
    /// - Returns: How many items were sealed again.
    /// - Throws: ``SecItemStore/StoreError/Code/authenticationFailed`` if the passphrase is wrong;
    ///   ``SecItemStore/StoreError/Code/corrupt`` if an item cannot be read and would be lost. Then nothing has
    ///   changed.
    package func rekey(passphrase: Secret? = nil) throws(StoreError) -> Int {
        try turn.take(mayAsk: true)
        defer { turn.leave() }
        let (header, keys, protection) = try keysForRekeying(passphrase)
        let count = try connection.exclusively { (folder, database) throws in
            _ = try header.readAgain(database)
            let survey = try RowSurvey(keys: keys, storeID: header.storeID)
            return try Replacement(folder: folder, protection: protection).replace(database, survey: survey)
        }
        cache.forget(storeID: header.storeID, logger: logger)
        return count
    }

    /// The header, all present keys of the store, and the protection of the new root key.
    private func keysForRekeying(
        _ given: Secret?
    ) throws(StoreError) -> (StoreHeader, KeySet, Replacement.Protection) {
        let (header, device, own) = try presentHeader()
        if !protector.isFulfilled(by: own) { throw protector.lack }
        if given != nil && !own.needsPassphrase { throw Self.takesNoPassphrase }
        var passphrase = given
        if own.needsPassphrase && passphrase == nil { passphrase = try own.passphrase(mayAsk: true) }
        let (root, guardWrapping) = try header.unlocked(own, device: device, passphrase: passphrase)
        let guardKey = try GuardKeyRow(header).map { (row) throws(StoreError) in
            try row.key(guardWrapping, storeID: header.storeID)
        }
        let all = try header.alwaysKeys(device).adding(header.otherKeys(root))
        let protection = Replacement.Protection(protector: own, passphrase: passphrase, guardKey: guardKey)
        return try (header, KeySet(all), protection)
    }
}

/// A new database with new keys, before it replaces the old one. The caller excludes all other users.
///
/// The new key file is beside the old one until the database has its name. A database names its key file, so after a
/// crash in between, the next opening selects the right file and renames it (`OpenedStore`).
private struct Replacement {
    /// The protection of the root key.
    struct Protection {
        let protector: any RootKeyProtector
        let passphrase: Secret?
        /// The key that opens the guarded items of the old database; nil without a passphrase.
        let guardKey: Secret?
    }

    let folder: PrivateFolder
    let protection: Protection
    private var location: StoreLocation { folder.location }

    /// - Returns: The number of items in the new database.
    func replace(_ old: Database, survey: RowSurvey) throws -> Int {
        let unfinished = location.rekeyedDatabasePath
        folder.removeUnfinishedRekeying()
        // After the database has its name, the key file stays for the next opening of the store.
        defer { if folder.contains(unfinished) { folder.removeUnfinishedRekeying() } }
        let deviceKey = try DeviceKey()
        try folder.writeUnfinished(deviceKey.file, location.unfinishedKeyFilePath)
        close(try folder.createEmpty(unfinished))
        let count = try fill(unfinished, deviceKey, old, survey)
        try old.emptyLog()
        // It is empty and belongs to the old database. SQLite would take it for the new one's log.
        folder.remove(location.databasePath + "-wal")
        folder.remove(location.databasePath + "-shm")
        try folder.rename(unfinished, to: location.databasePath)
        try folder.rename(location.unfinishedKeyFilePath, to: location.keyFilePath)
        return count
    }

    private func fill(_ path: String, _ deviceKey: DeviceKey, _ old: Database, _ survey: RowSurvey) throws -> Int {
        var count = 0
        let made = try StoreConnection.create(path) { database in
            let new = try StoreHeader.write(
                database, deviceKey: deviceKey, protector: protection.protector, passphrase: protection.passphrase)
            let keys = try KeySet(new.keys)
            let guardKeyRow = try GuardKeyRow(StoreHeader.read(database))
            try survey.run(old) { (item) throws(StoreError) in
                let record = try item.opened(storeID: survey.storeID, with: protection.guardKey)
                count += 1
                let seal = try guardKeyRow?.seal(for: record.accessible, keys, storeID: new.storeID)
                let sealed = try RowWriter(keys: keys, storeID: new.storeID).sealed(record, guardSeal: seal)
                do {
                    try SQLiteStore.insert(database, sealed, id: Int64(count))
                } catch {
                    throw StoreError(database: error)
                }
            }
            return new
        }
        try verify(path, deviceKey, made, count)
        return count
    }

    /// Reads the new database back before anything old is removed.
    private func verify(_ path: String, _ deviceKey: DeviceKey, _ made: StoreHeader.NewKeys, _ count: Int) throws {
        // Nobody else knows the file, so SQLite needs no further files beside it.
        let database = try Database(path, .readingUnchanged)
        defer { database.close() }
        try StoreCheck.check(database)
        _ = try StoreHeader.read(database).check(deviceKey)
        var found = 0
        try RowSurvey(keys: KeySet(made.keys), storeID: made.storeID).run(database) { (item) throws(StoreError) in
            _ = try item.opened(storeID: made.storeID, with: made.guardKey)
            found += 1
        }
        guard found == count else { throw StoreError(.io, "the new database lacks items") }
    }
}

extension PrivateFolder {
    /// Removes what a process that died while it made new keys has left: a copy of all items, in which deleted ones and those
    /// of an older passphrase would stay. The caller has the setup lock, which that process would have too.
    ///
    /// The database is the last to go, so that a process which dies on the way leaves no copy with its key, and the next one
    /// goes on.
    func removeUnfinishedRekeying() {
        let path = location.rekeyedDatabasePath
        for path in [location.unfinishedKeyFilePath, path + "-journal", path + "-wal", path + "-shm", path] {
            remove(path)
        }
    }
}

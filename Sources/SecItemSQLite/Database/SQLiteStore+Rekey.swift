// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import SecItemStore

extension SQLiteStore {
    /// Gives the store new keys, all of them: a device key, a root key, and those that seal items. For somebody whose files
    /// or keys got into other hands.
    ///
    /// Each item is sealed anew in a new database, which is read back and then takes the place of the old one. A crash at any
    /// moment leaves either the old store whole or the new one. The passphrase stays, or what else protects the root key.
    ///
    /// This store, and those of other processes that have it open, answer ``SecItemStore/StoreError/Code/unavailable`` from
    /// then on: what is open has the old keys. It has to be opened anew.
    ///
    /// - Parameter passphrase: The passphrase; nil to take it from where the store was told to look.
    /// - Returns: How many items were sealed anew.
    /// - Throws: ``SecItemStore/StoreError/Code/authenticationFailed`` when the passphrase is wrong;
    ///   ``SecItemStore/StoreError/Code/corrupt`` when an item cannot be read: it would be lost. Then nothing has changed.
    package func rekey(passphrase: Secret? = nil) throws(StoreError) -> Int {
        try turn.take(mayAsk: true)
        defer { turn.leave() }
        let (keys, seal) = try keysForRekeying(passphrase)
        let count = try guarded { () throws(StoreError) in
            try connection.exclusively { (folder, database) throws in
                try Replacement(folder, seal).replace(database, survey: RowSurvey(keys: keys, storeID: storeID))
            }
        }
        cache.forget(storeID: storeID, logger: logger)
        return count
    }

    /// All keys that the store has now, and what is to protect the new root key.
    private func keysForRekeying(_ given: Secret?) throws(StoreError) -> (KeySet, Replacement.Protection) {
        let header = try guarded { () throws(StoreError) in try connection.read(StoreHeader.read) }
        let device = try header.check(deviceKey())
        let own = try Self.protector(of: header, configured: protector)
        if !protector.isFulfilled(by: own) { throw protector.lack }
        if given != nil && !own.needsPassphrase { throw Self.takesNoPassphrase }
        var passphrase = given
        if own.needsPassphrase && passphrase == nil { passphrase = try own.passphrase(mayAsk: true) }
        let (root, guardWrapping) = try header.unlocked(own, device: device, passphrase: passphrase)
        let guardKey = try GuardKeyRow(header).map { (row) throws(StoreError) in
            try row.key(guardWrapping, storeID: storeID)
        }
        let all = try header.alwaysKeys(device).adding(header.otherKeys(root))
        guard let keys = try KeySet(all) else { throw StoreError(.corrupt, "keys are missing") }
        // The methods of the first stores are opened, and never written again.
        let successor: RootKeyMethod =
            switch own.method {
            case .passphraseAlone: .passphrase
            case .portalAlone: .portal
            default: own.method
            }
        let protection = Replacement.Protection(
            protector: own.protector(for: successor) ?? own, passphrase: passphrase, guardKey: guardKey)
        return (keys, protection)
    }
}

/// A new database with new keys, on its way to the place of the old one. The caller keeps everybody else away.
///
/// The new key file lies beside the old one until the database has its name. A database says which key file is its own, so
/// whoever opens the store after a crash in between takes the right one, and gives it its name (`OpenedStore`).
private struct Replacement {
    /// What protects the root key.
    struct Protection {
        let protector: any RootKeyProtector
        let passphrase: Secret?
        /// What opens the guarded items of the old database; nil where it has none.
        let guardKey: Secret?
    }

    private let folder: PrivateFolder
    private let protection: Protection
    private var location: StoreLocation { folder.location }

    init(_ folder: PrivateFolder, _ protection: Protection) {
        self.folder = folder
        self.protection = protection
    }

    /// - Returns: How many items the new database has.
    func replace(_ old: Database, survey: RowSurvey) throws -> Int {
        let unfinished = location.rekeyedDatabasePath
        removeLeftovers()
        // Once the database has its name, the key file waits for whoever opens the store.
        defer { if folder.contains(unfinished) { removeLeftovers() } }
        let deviceKey = try DeviceKey()
        try folder.writeUnfinished(deviceKey.file, location.unfinishedKeyFilePath)
        close(try folder.createEmpty(unfinished))
        let count = try fill(unfinished, deviceKey, old, survey)
        try StoreConnection.emptyLog(old)
        // Empty, and of the old database: SQLite would take it for the new one's.
        folder.remove(location.databasePath + "-wal")
        folder.remove(location.databasePath + "-shm")
        try folder.rename(unfinished, to: location.databasePath)
        try folder.rename(location.unfinishedKeyFilePath, to: location.keyFilePath)
        return count
    }

    private func fill(_ path: String, _ deviceKey: DeviceKey, _ old: Database, _ survey: RowSurvey) throws -> Int {
        var count = 0
        var made: StoreHeader.NewKeys?
        try StoreConnection.create(path) { database in
            let new = try StoreHeader.write(
                database, deviceKey: deviceKey, protector: protection.protector, passphrase: protection.passphrase,
                withGuardKey: protection.guardKey != nil)
            made = new
            guard let keys = try KeySet(new.keys) else { throw StoreError(.corrupt, "keys are missing") }
            let guardKeyRow = try GuardKeyRow(StoreHeader.read(database))
            try survey.run(old) { (item) throws(StoreError) in
                let record = try opened(item, survey.storeID, protection.guardKey)
                count += 1
                let seal = try guardKeyRow?.seal(for: record.accessible, keys, storeID: new.storeID)
                let sealed = try SealedItem(record, keys: keys, storeID: new.storeID, guardSeal: seal)
                do {
                    try SQLiteStore.insert(database, sealed, id: Int64(count))
                } catch {
                    throw StoreError(database: error)
                }
            }
        }
        guard let made else { throw StoreError(.io, "no keys were created") }
        try verify(path, deviceKey, made, count)
        return count
    }

    /// The item with its secrets, those of a guarded one opened.
    private func opened(
        _ item: SurveyedItem, _ storeID: [UInt8], _ guardKey: Secret?
    ) throws(StoreError) -> ItemRecord {
        switch item {
        case .item(let record): return record
        case .guarded(var record):
            guard let guardKey, let guarded = record.guardedSecrets else { throw .locked }
            record.guardedSecrets = nil
            record.secrets = try guarded.opened(of: record, storeID: storeID, with: guardKey)
            return record
        case .locked: throw .locked
        case .damaged(let item):
            throw StoreError(
                .corrupt,
                "the item \(item.place) \(item.damage): no item can be encrypted again while it exists. Delete it first"
            )
        }
    }

    /// Reads back what was written, before anything old goes.
    private func verify(_ path: String, _ deviceKey: DeviceKey, _ made: StoreHeader.NewKeys, _ count: Int) throws {
        guard let keys = try KeySet(made.keys) else { throw StoreError(.corrupt, "keys are missing") }
        // Nobody else knows of the file, so SQLite needs no files of its own beside it.
        let database = try ReadOnlyConnection(StoreConnection.immutablePath(path) ?? path)
        defer { database.close() }
        try StoreCheck.check(database)
        _ = try StoreHeader.read(database).check(deviceKey)
        var found = 0
        try RowSurvey(keys: keys, storeID: made.storeID).run(database) { (item) throws(StoreError) in
            _ = try opened(item, made.storeID, made.guardKey)
            found += 1
        }
        guard found == count else { throw StoreError(.io, "the new database lacks items") }
    }

    private func removeLeftovers() {
        let path = location.rekeyedDatabasePath
        for path in [path, path + "-journal", path + "-wal", path + "-shm", location.unfinishedKeyFilePath] {
            folder.remove(path)
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import SecItemSealing
import SecItemStore

/// A store's files, found to be in order, or made.
///
/// The connection that looked it over is the first reader.
struct OpenedStore {
    let connection: StoreConnection
    let header: StoreHeader
    let device: DeviceKeys

    /// The store in that folder, or nil when there is none. Makes nothing.
    static func existing(_ location: StoreLocation, logger: Logger) throws(StoreError) -> OpenedStore? {
        try inFolder(location, logger) { (folder) throws(StoreError) in try OpenedStore(existingIn: folder) }
    }

    /// Whether the folder has a store. Opens no database.
    static func isThere(_ location: StoreLocation, logger: Logger) throws(StoreError) -> Bool {
        try inFolder(location, logger) { _ in true } ?? false
    }

    /// Runs `body`, while nobody else sets the store up, if the folder has a finished one.
    private static func inFolder<Result>(
        _ location: StoreLocation, _ logger: Logger, _ body: (PrivateFolder) throws(StoreError) -> Result
    ) throws(StoreError) -> Result? {
        try reporting(logger) { () throws(StoreError) in
            try withFileSizeLimitAsError { () throws(StoreError) in
                guard let folder = try PrivateFolder.existing(location) else { return nil }
                return try folder.withSetupLock { () throws(StoreError) in
                    guard try hasStore(folder) else { return nil }
                    return try body(folder)
                }
            }
        }
    }

    /// The store in that folder, which is made if there is none by now.
    ///
    /// - Parameter mayAsk: Whether a person may be asked for the passphrase of a new store.
    init(
        _ location: StoreLocation, protector: any RootKeyProtector, mayAsk: Bool, logger: Logger
    ) throws(StoreError) {
        self = try Self.reporting(logger) { () throws(StoreError) in
            // Asked before others are made to wait: a person may be the one to answer.
            let passphrase = try Self.newPassphrase(protector, mayAsk: mayAsk)
            var isNew = false
            let opened = try withFileSizeLimitAsError { () throws(StoreError) in
                let folder = try PrivateFolder(location, makingIt: true)
                return try folder.withSetupLock { () throws(StoreError) in
                    // Another process may have been first.
                    if try !Self.hasStore(folder) {
                        try Self.create(in: folder, protector: protector, passphrase: passphrase)
                        isNew = true
                    }
                    return try OpenedStore(existingIn: folder)
                }
            }
            if isNew { logger.debug("A new keychain was created", metadata: ["path": "\(location.databasePath)"]) }
            return opened
        }
    }

    private static func reporting<Result>(
        _ logger: Logger, _ body: () throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        do throws(StoreError) {
            return try body()
        } catch {
            if error.code != .locked && error.code != .cancelled {
                logger.once(.error, "The keychain cannot be opened", metadata: ["reason": "\(error.message)"])
            }
            throw error
        }
    }

    // MARK: What is there

    /// Whether the folder has a finished store.
    ///
    /// - Throws: ``StoreError/Code/corrupt`` when it has a part of one: what is missing may come back, and a new store
    ///   in its place would hide that something is missing.
    private static func hasStore(_ folder: PrivateFolder) throws(StoreError) -> Bool {
        let location = folder.location
        if folder.contains(location.databasePath) { return true }
        guard !folder.hasLog else {
            throw StoreError(
                .corrupt, "there is a write-ahead log, but its database \(location.databasePath) is missing")
        }
        guard !folder.contains(location.keyFilePath) else {
            throw StoreError(
                .corrupt,
                "\(location.databasePath) is missing, but its key file exists: put the whole folder back from a backup, "
                    + "or move \(location.keyFilePath) away to start with an empty keychain")
        }
        return false
    }

    private init(existingIn folder: PrivateFolder) throws(StoreError) {
        let location = folder.location
        guard let identity = folder.identity(of: location.databasePath) else {
            throw StoreError(.unavailable, "\(location.databasePath) has vanished")
        }
        var deviceKey = try Self.deviceKey(folder)
        // A connection that cannot write, so that nothing happens to a file that is not in order.
        let reader = try StoreConnection.open(folder, .reading)
        header = try StoreCheck.header(reader, size: folder.hasLog ? nil : folder.size(of: location.databasePath))
        if let new = Self.unnamedKey(of: header, folder, insteadOf: deviceKey) {
            try folder.rename(location.unfinishedKeyFilePath, to: location.keyFilePath)
            deviceKey = new
        }
        device = try header.check(deviceKey)
        if !folder.contains(location.keyFilePath) {
            try folder.rename(location.unfinishedKeyFilePath, to: location.keyFilePath)
        }
        // The key file has its name, so nothing of it is needed.
        if folder.contains(location.rekeyedDatabasePath) { folder.removeUnfinishedRekeying() }
        connection = StoreConnection(location, identity: identity, storeID: header.storeID, first: reader)
        // Now that SQLite has made its files too.
        try folder.check()
    }

    private static func deviceKey(_ folder: PrivateFolder) throws(StoreError) -> DeviceKey {
        let location = folder.location
        // A new store's key file gets its name last. Whether that one belongs to the database, the header says.
        for path in [location.keyFilePath, location.unfinishedKeyFilePath] where folder.contains(path) {
            return try DeviceKey(file: folder.read(path), path: path)
        }
        // Never a new one: the items would be lost for good, and the old file may come back from a backup.
        throw StoreError(
            .corrupt,
            "the key file \(location.keyFilePath) is missing: put it back from a backup; "
                + "without it nothing in \(location.databasePath) can be read")
    }

    /// The key of a database that got its name, with new keys, just before the machine or the process died
    /// (`SQLiteStore.rekey`); nil where the key file is the right one already, or none is.
    private static func unnamedKey(
        of header: StoreHeader, _ folder: PrivateFolder, insteadOf key: DeviceKey
    ) -> DeviceKey? {
        let path = folder.location.unfinishedKeyFilePath
        guard key.id != header.deviceKeyID, folder.contains(folder.location.keyFilePath), folder.contains(path),
            let other = try? DeviceKey(file: folder.read(path), path: path), other.id == header.deviceKeyID
        else { return nil }
        return other
    }

    // MARK: New

    private static func newPassphrase(_ protector: any RootKeyProtector, mayAsk: Bool) throws(StoreError) -> Secret? {
        guard protector.needsPassphrase else { return nil }
        if let passphrase = try protector.passphrase(mayAsk: mayAsk) { return passphrase }
        if !mayAsk, try protector.passphrase(mayAsk: false) == nil {
            throw StoreError(.locked, "a new store needs a passphrase, and prompts are not allowed")
        }
        throw StoreError(.unavailable, "a new store needs its passphrase, and none was found")
    }

    /// Makes a store whose key file gets its name last: what a process that dies on the way leaves behind is told apart
    /// from a store that lost its database.
    private static func create(
        in folder: PrivateFolder, protector: any RootKeyProtector, passphrase: Secret?
    ) throws(StoreError) {
        let location = folder.location
        let unfinished = location.unfinishedDatabasePath
        let leftovers =
            [unfinished, unfinished + "-journal", unfinished + "-wal", unfinished + "-shm"]
            + [location.unfinishedKeyFilePath, location.databasePath + "-wal", location.databasePath + "-shm"]
        for path in leftovers { folder.remove(path) }
        do throws(StoreError) {
            try folder.writeUnfinished(DeviceKey().file, location.unfinishedKeyFilePath)
            let deviceKey = try deviceKey(folder)
            // Made by us, with the right mode: SQLite gives its other files the mode of this one.
            close(try folder.createEmpty(unfinished))
            _ = try StoreConnection.create(unfinished) { database in
                try StoreHeader.write(database, deviceKey: deviceKey, protector: protector, passphrase: passphrase)
            }
            // Under its own name it is finished, always.
            try folder.rename(unfinished, to: location.databasePath)
        } catch {
            // With the database in place, the key file waits for whoever opens the store next.
            if !folder.contains(location.databasePath) {
                for path in leftovers { folder.remove(path) }
            }
            throw error
        }
        try folder.rename(location.unfinishedKeyFilePath, to: location.keyFilePath)
    }
}

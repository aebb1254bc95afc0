import Foundation
import GRDB
import Logging
import SecItemStore

/// A store's files, found to be in order and opened, or made.
struct OpenedStore {
    let connection: StoreConnection
    let header: StoreHeader
    let device: DeviceKeys

    init(_ location: StoreLocation, protector: any RootKeyProtector, logger: Logger) throws(StoreError) {
        do throws(StoreError) {
            let folder = try PrivateFolder(location, makingIt: true, logger: logger)
            // Asked before others are made to wait: a person may be the one to answer.
            var passphrase: Secret?
            if protector.needsPassphrase && !folder.contains(location.databasePath) {
                passphrase = try protector.passphrase(mayAsk: true)
            }
            self = try folder.withSetupLock { () throws(StoreError) in
                if !folder.contains(location.databasePath) {
                    try Self.create(in: folder, protector: protector, passphrase: passphrase)
                    logger.debug("A new keychain was made", metadata: ["path": "\(location.databasePath)"])
                }
                return try OpenedStore(existingIn: folder)
            }
        } catch {
            logger.error("The keychain cannot be opened", metadata: ["reason": "\(error)"])
            throw error
        }
    }

    // MARK: Existing

    private init(existingIn folder: PrivateFolder) throws(StoreError) {
        let location = folder.location
        guard folder.contains(location.keyFilePath) else {
            // Never a new one: the items would be lost for good, and the old file may come back from a backup.
            throw StoreError(.corrupt, "the key file \(location.keyFilePath) is missing")
        }
        let deviceKey = try DeviceKey(file: folder.read(location.keyFilePath), path: location.keyFilePath)
        guard let identity = folder.identity(of: location.databasePath) else {
            throw StoreError(.unavailable, "\(location.databasePath) has vanished")
        }
        // Looked at by a connection that cannot write, so that nothing happens to a file that is not in order.
        let (found, format) = try StoreCheck.inspect(location.databasePath)
        device = try found.check(deviceKey)
        header = found
        connection = try StoreConnection(location, identity: identity, readOnly: !folder.isWritable)
        if format < StoreFormat.current { try connection.migrate() }
        // Now that SQLite has made its files too.
        try folder.check()
    }

    // MARK: New

    private static func create(
        in folder: PrivateFolder, protector: any RootKeyProtector, passphrase: Secret?
    ) throws(StoreError) {
        let location = folder.location
        guard !folder.contains(location.databasePath + "-wal") else {
            throw StoreError(
                .corrupt, "there is a write-ahead log, but its database \(location.databasePath) is missing")
        }
        if protector.needsPassphrase && passphrase == nil {
            throw StoreError(.unavailable, "a new store needs its passphrase, and none was found")
        }
        // A key file without a database is left by a process that died right here.
        if !folder.contains(location.keyFilePath) {
            try folder.write(DeviceKey().file, to: location.keyFilePath)
        }
        let deviceKey = try DeviceKey(file: folder.read(location.keyFilePath), path: location.keyFilePath)
        let unfinished = location.unfinishedDatabasePath
        let leftovers = [unfinished, unfinished + "-journal", unfinished + "-wal", unfinished + "-shm"]
        for path in leftovers { folder.remove(path) }
        // Made by us, with the right mode: SQLite gives its other files the mode of this one.
        close(try folder.createEmpty(unfinished))
        do throws(StoreError) {
            try StoreConnection.create(unfinished) { database in
                try StoreHeader.write(database, deviceKey: deviceKey, protector: protector, passphrase: passphrase)
            }
            // Under its own name it is finished, always.
            try folder.rename(unfinished, to: location.databasePath)
        } catch {
            for path in leftovers { folder.remove(path) }
            throw error
        }
    }
}

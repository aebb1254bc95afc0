// SPDX-License-Identifier: Apache-2.0

import SecItemStore

/// The folder of a store, and the names of the files in it.
package struct StoreLocation: Sendable, Hashable {
    /// The folder's absolute path. The last component belongs to the store: it is created with mode 0700, and must not
    /// be a symbolic link.
    package let folder: String
    /// Whether the folder may be on a network file system. Only for callers who know that one machine alone uses it.
    package let mayBeOnNetwork: Bool

    /// A store in that folder. Parts at the end of the path that name nothing are removed, because with a final slash
    /// the system would follow a symbolic link.
    package init(folder: String, mayBeOnNetwork: Bool = false) {
        self.folder = Self.trimmed(folder)
        self.mayBeOnNetwork = mayBeOnNetwork
    }

    private static func trimmed(_ path: String) -> String {
        var bytes = path.utf8[...]
        while bytes.count > 1 {
            if bytes.last == UInt8(ascii: "/") {
                bytes.removeLast()
            } else if bytes.suffix(2).elementsEqual("/.".utf8) {
                bytes.removeLast()
            } else {
                break
            }
        }
        return String(Substring(bytes))
    }

    /// The user's store: `secitem` in the user's data folder.
    ///
    /// - Throws: ``StoreError/Code/unavailable`` when there is no such folder: see ``UserFolder``.
    package static func user(
        environment: [String: String] = SecureExecution.environment
    ) throws(StoreError) -> StoreLocation {
        StoreLocation(folder: try UserFolder.data.path(environment: environment) + "/secitem")
    }

    /// The database.
    package var databasePath: String { folder + "/items.db" }
    /// SQLite's write-ahead log.
    var logPath: String { databasePath + "-wal" }
    /// The path of a new database before it gets its name.
    var unfinishedDatabasePath: String { folder + "/items.db.new" }
    /// The path of a database with new keys before it replaces the old one. It differs from that of a new store: a
    /// process that finds that name beside a key file, without a database, concludes that the creation of the store was
    /// never finished.
    var rekeyedDatabasePath: String { folder + "/items.db.rekeyed" }
    /// The device key.
    package var keyFilePath: String { folder + "/device.key" }
    /// The device key of a store that is being created, or that gets new keys.
    var unfinishedKeyFilePath: String { keyFilePath + ".new" }

    /// Every file that the store may own.
    package var filePaths: [String] {
        let databases = [databasePath, unfinishedDatabasePath, rekeyedDatabasePath]
        return databases.flatMap { [$0, $0 + "-wal", $0 + "-shm", $0 + "-journal"] } + [
            keyFilePath, unfinishedKeyFilePath,
        ]
    }
}

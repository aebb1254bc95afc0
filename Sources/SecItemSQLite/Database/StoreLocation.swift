import Foundation
import SecItemStore

/// The folder that a store lives in, and the names of the files in it.
package struct StoreLocation: Sendable, Hashable {
    /// The folder's absolute path. The last component is the store's own: it is made with mode 0700, and must not be
    /// a symbolic link.
    package let folder: String

    /// A store in that folder.
    package init(folder: String) {
        self.folder = folder
    }

    /// The user's store: `secitem` in the folder for user data of the XDG Base Directory Specification.
    ///
    /// - Throws: ``StoreError/Code/unavailable`` when neither the environment nor the user database names a home.
    package static func user(
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(StoreError) -> StoreLocation {
        if let dataHome = absolutePath(environment["XDG_DATA_HOME"]) {
            return StoreLocation(folder: dataHome + "/secitem")
        }
        guard let home = existingFolder(environment["HOME"]) ?? existingFolder(homeInUserDatabase()) else {
            throw StoreError(
                .unavailable, "no home folder: neither XDG_DATA_HOME nor HOME nor the user database has one")
        }
        return StoreLocation(folder: home + "/.local/share/secitem")
    }

    /// The database.
    package var databasePath: String { folder + "/items.db" }
    /// Where a new database is built before it gets its name.
    var unfinishedDatabasePath: String { folder + "/items.db.new" }
    /// The device key.
    package var keyFilePath: String { folder + "/device.key" }

    /// Every file that the store may own.
    var filePaths: [String] {
        let databases = [databasePath, unfinishedDatabasePath]
        return databases.flatMap { [$0, $0 + "-wal", $0 + "-shm", $0 + "-journal"] } + [
            keyFilePath, keyFilePath + ".new",
        ]
    }

    private static func absolutePath(_ path: String?) -> String? {
        guard var path, path.hasPrefix("/") else { return nil }
        while path.count > 1 && path.hasSuffix("/") { path.removeLast() }
        return path
    }

    /// The path, unless no folder is there: system users are given homes that do not exist, and one must not appear
    /// because a store was opened.
    private static func existingFolder(_ path: String?) -> String? {
        var isFolder: ObjCBool = false
        guard let path = absolutePath(path), FileManager.default.fileExists(atPath: path, isDirectory: &isFolder),
            isFolder.boolValue
        else { return nil }
        return path == "/" ? nil : path
    }

    private static func homeInUserDatabase() -> String? {
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        var buffer = [CChar](repeating: 0, count: 16_384)
        let status = getpwuid_r(geteuid(), &entry, &buffer, buffer.count, &found)
        // `entry` points into `buffer`: read it while the buffer stands still.
        return buffer.withUnsafeMutableBufferPointer { _ in
            guard status == 0, found != nil, let home = entry.pw_dir else { return nil }
            return String(cString: home)
        }
    }
}

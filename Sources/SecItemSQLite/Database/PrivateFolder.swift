// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// The store's folder, held open. Only this user can read and write it.
///
/// Wrong modes are refused rather than repaired: others may already have used such a mode, and its owner should know.
final class PrivateFolder {
    let location: StoreLocation
    private let descriptor: Int32
    /// Whether a setting can name another folder.
    private let isNamed: Bool

    /// Opens the folder.
    ///
    /// - Parameters:
    ///   - makingIt: Whether to create the folder, and the folders above it, if it does not exist.
    ///   - isNamed: Whether a setting can name another folder.
    init(_ location: StoreLocation, makingIt: Bool = false, isNamed: Bool = true) throws(StoreError) {
        if makingIt { try OwnFolder.make(location.folder) }
        self.location = location
        self.isNamed = isNamed
        descriptor = Self.open(location)
        // From here on `deinit` closes it.
        guard descriptor >= 0 else { throw Self.openingFailed(location) }
        try check()
        try refuseNetwork()
    }

    /// Opens the folder if it exists.
    static func existing(_ location: StoreLocation) throws(StoreError) -> PrivateFolder? {
        guard location.folder.hasPrefix("/") else {
            throw StoreError(.unavailable, "\(location.folder) is not an absolute path")
        }
        if faccessat(AT_FDCWD, location.folder, F_OK, AT_SYMLINK_NOFOLLOW) != 0 && errno == ENOENT { return nil }
        return try PrivateFolder(location)
    }

    /// O_NOFOLLOW: otherwise anyone who may write above the folder could redirect the store.
    private static func open(_ location: StoreLocation) -> Int32 {
        OwnDescriptor.aboveStandard(
            Foundation.open(location.folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC))
    }

    /// The reason why the folder could not be opened. For a symbolic link, the system only says that it is not a
    /// folder.
    private static func openingFailed(_ location: StoreLocation) -> StoreError {
        let number = errno
        var status = stat()
        guard lstat(location.folder, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else {
            return StoreError(openingFailed: location.folder, errno: number)
        }
        return StoreError(.unavailable, "\(location.folder) is a symbolic link: name the folder that it leads to")
    }

    private func refuseNetwork() throws(StoreError) {
        if location.mayBeOnNetwork { return }
        let system =
            if let assumed = FileSystem.assumed { assumed } else {
                try FileSystem(ofFolder: descriptor, path: location.folder)
            }
        guard let name = system.networkName else { return }
        throw refusal(
            location.folder,
            "it is on a network file system (\(name)), where SQLite's locks do not hold; "
                + "choose a folder on a local disk (SECITEM_DIRECTORY, LinuxKeychain.use(.embedded(directory:)))")
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Checks the folder and each of the store's files again.
    func check() throws(StoreError) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            throw StoreError(openingFailed: location.folder, errno: errno)
        }
        try check(status, path: location.folder)
        for path in location.filePaths {
            var status = stat()
            guard fstatat(descriptor, Self.name(of: path), &status, AT_SYMLINK_NOFOLLOW) == 0 else {
                if errno == ENOENT { continue }
                throw StoreError(openingFailed: path, errno: errno)
            }
            guard status.st_mode & S_IFMT == S_IFREG else { throw refusal(path, "it is not a plain file") }
            try check(status, path: path)
        }
    }

    private func check(_ status: stat, path: String) throws(StoreError) {
        // The folder that is used without a setting is nobody else's.
        let isForOthers =
            isNamed && path == location.folder && !hasFiles && (try? StoreLocation.user().folder) != path
        let folderOfItsOwn = "name a folder of its own below it, such as \(path == "/" ? "" : path)/keychain"
        guard status.st_uid == geteuid() else {
            let remedy = isForOthers && mayMakeFiles ? "; \(folderOfItsOwn)" : ""
            throw refusal(path, "it belongs to user \(status.st_uid)\(remedy)")
        }
        guard status.st_mode & 0o077 == 0 else {
            let mode = String(status.st_mode & 0o7777, radix: 8)
            let remedy = isForOthers ? folderOfItsOwn : "take it away (chmod go= …)"
            throw refusal(path, "its mode \(mode) gives other users access; \(remedy)")
        }
    }

    /// Whether any file of a store is in the folder. A folder without one, such as `/tmp` or a volume, may be there for
    /// other users or programs, who would lose it with a stricter mode.
    private var hasFiles: Bool { location.filePaths.contains(where: contains) }

    private var mayMakeFiles: Bool { faccessat(descriptor, ".", W_OK | X_OK, AT_EACCESS) == 0 }

    private func refusal(_ path: String, _ reason: String) -> StoreError {
        StoreError(.unavailable, "\(path) is refused: \(reason)")
    }

    /// Whether a file of that path is in the folder.
    func contains(_ path: String) -> Bool {
        faccessat(descriptor, Self.name(of: path), F_OK, AT_SYMLINK_NOFOLLOW) == 0
    }

    /// How many bytes the file of that path has; nil if there is none.
    func size(of path: String) -> Int? { status(of: path).map { Int($0.st_size) } }

    /// Whether there is a log with commits that may not be in the database file. SQLite takes a log that is shorter than its
    /// header for none, and an empty one stays when a store is closed.
    var hasLog: Bool { size(of: location.logPath) ?? 0 > 32 }

    /// Whether files can be created and written here: not on a read-only medium.
    var isWritable: Bool {
        faccessat(descriptor, ".", W_OK, AT_EACCESS) == 0
            && (!contains(location.databasePath)
                || faccessat(descriptor, Self.name(of: location.databasePath), W_OK, AT_EACCESS) == 0)
    }

    /// The identity of the file at that path, to notice later that it was replaced.
    func identity(of path: String) -> FileIdentity? { status(of: path).map { FileIdentity($0) } }

    private func status(of path: String) -> stat? {
        var status = stat()
        return fstatat(descriptor, Self.name(of: path), &status, AT_SYMLINK_NOFOLLOW) == 0 ? status : nil
    }

    // MARK: Files

    /// Opens a file, for reading by default.
    func open(_ path: String, _ access: Int32 = O_RDONLY) throws(StoreError) -> Int32 {
        let file = OwnDescriptor.aboveStandard(
            openat(descriptor, Self.name(of: path), access | O_NOFOLLOW | O_CLOEXEC))
        guard file >= 0 else { throw StoreError(openingFailed: path, errno: errno) }
        return file
    }

    /// Reads a whole small file.
    func read(_ path: String) throws(StoreError) -> Secret {
        let file = try open(path)
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw StoreError(openingFailed: path, errno: errno) }
        try check(status, path: path)
        return try Secret(readingSmallFile: file, path: path)
    }

    /// Writes a small file so that it is either complete and on disk, or not there.
    func write(_ content: Secret, to path: String) throws(StoreError) {
        try writeUnfinished(content, path + ".new")
        try rename(path + ".new", to: path)
    }

    /// Writes a small file to disk under a temporary name. ``rename(_:to:)`` gives it the final one.
    func writeUnfinished(_ content: Secret, _ path: String) throws(StoreError) {
        remove(path)
        let file = try createEmpty(path)
        let failure = withFileSizeLimitAsError { content.write(toEmptyFile: file) }
        close(file)
        if let failure {
            remove(path)
            throw StoreError(writingFailed: path, errno: failure)
        }
    }

    /// Creates an empty file that no other user can open at any moment.
    func createEmpty(_ path: String) throws(StoreError) -> Int32 {
        let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let file = OwnDescriptor.aboveStandard(openat(descriptor, Self.name(of: path), flags, 0o600))
        guard file >= 0 else { throw StoreError(writingFailed: path, errno: errno) }
        fchmod(file, 0o600)
        return file
    }

    /// Gives a finished file its name, and writes that to disk.
    func rename(_ path: String, to newPath: String) throws(StoreError) {
        guard renameat(descriptor, Self.name(of: path), descriptor, Self.name(of: newPath)) == 0,
            fsync(descriptor) == 0
        else { throw StoreError(writingFailed: newPath, errno: errno) }
    }

    func remove(_ path: String) {
        unlinkat(descriptor, Self.name(of: path), 0)
    }

    private static func name(of path: String) -> String {
        String(path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...])
    }

    // MARK: One at a time

    /// Runs `body` while no other process sets the store up.
    func withSetupLock<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
        var wait = BusyWait(longestPause: 2_000)
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR else {
                throw StoreError(openingFailed: location.folder, errno: errno)
            }
            guard wait.pause() else {
                let reason = "another process has been setting up \(location.folder) for too long"
                throw LockHolder.failure(reason, descriptor)
            }
        }
        defer { flock(descriptor, LOCK_UN) }
        return try body()
    }
}

/// The identity of a file, independent of its name.
struct FileIdentity: Hashable, Sendable {
    private let device: UInt64
    private let number: UInt64

    init(_ status: stat) {
        device = UInt64(status.st_dev)
        number = UInt64(status.st_ino)
    }

    /// The file of that path, or nil when there is none.
    init?(path: String) {
        var status = stat()
        // Without a copy of the path, because each look-up asks.
        guard path.withCString({ lstat($0, &status) }) == 0 else { return nil }
        self.init(status)
    }
}

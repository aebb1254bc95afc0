// SPDX-License-Identifier: Apache-2.0

import CLibsqlite3
import Foundation

// Counts flushes to the disk, and can end the process just before one of them, like a crash. It can also keep a copy of the
// folder as a disk has it that loses everything since the last flush. The store's own flushes use this program's fsync(2),
// and SQLite's use a virtual file system in front of its own.

private typealias Sync = @convention(c) (Int32) -> Int32

// RTLD_NEXT is a macro that Swift does not import.
private let systemFsync = dlsym(UnsafeMutableRawPointer(bitPattern: -1), "fsync").map {
    unsafeBitCast($0, to: Sync.self)
}
private let isCounting = ProcessInfo.processInfo.environment["PROBE_COUNTS_SYNCS"] != nil
private let flushedFolder = ProcessInfo.processInfo.environment["PROBE_FLUSHED_FOLDER"]
private let dyingAt = ProcessInfo.processInfo.environment["PROBE_DIE_AT_SYNC"].flatMap(Int.init)

// In the tests that use it, only one thread at a time does.

/// The flushed files, by the last part of their paths. A "!" marks the database or its log if it was flushed while the
/// writer lock was free.
nonisolated(unsafe) var syncedFiles: [String] = []
private nonisolated(unsafe) var paths: [UnsafeMutablePointer<sqlite3_file>: String] = [:]
private nonisolated(unsafe) var system = sqlite3_vfs()
private nonisolated(unsafe) var systemSync: (@convention(c) (UnsafeMutablePointer<sqlite3_file>?, Int32) -> Int32)?

private func count(_ path: String) {
    let name = (path as NSString).lastPathComponent
    let isOfDatabase = ["items.db", "items.db-wal"].contains(name)
    syncedFiles.append(isOfDatabase && isWriterLockFree(beside: path) ? name + "!" : name)
    if syncedFiles.count == dyingAt { _exit(9) }
}

/// Copies a file that is on disk now.
private func keepFlushed(_ path: String) {
    guard let flushedFolder else { return }
    let name = (path as NSString).lastPathComponent
    if !["items.db", "items.db-wal"].contains(name) { return }
    try? FileManager.default.copyItem(atPath: path, toPath: flushedFolder + "/new")
    // A process that is killed meanwhile leaves the older copy.
    rename(flushedFolder + "/new", flushedFolder + "/" + name)
}

private func isWriterLockFree(beside path: String) -> Bool {
    let file = open((path as NSString).deletingLastPathComponent + "/device.key", O_RDONLY)
    defer { close(file) }
    return flock(file, LOCK_EX | LOCK_NB) == 0
}

@_cdecl("fsync")
public func countedFsync(_ descriptor: Int32) -> Int32 {
    if isCounting {
        count((try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")) ?? "?")
    }
    return systemFsync?(descriptor) ?? -1
}

/// Registers the virtual file system that counts in front of SQLite's own.
func countSyncsOfSQLite() {
    guard isCounting, let found = sqlite3_vfs_find(nil) else { return }
    system = found.pointee
    let counting = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
    counting.initialize(to: system)
    counting.pointee.zName = UnsafePointer(strdup("counting"))
    counting.pointee.xOpen = { vfs, path, file, flags, outcome in
        let code = system.xOpen(vfs, path, file, flags, outcome)
        guard let file, let methods = file.pointee.pMethods else { return code }
        paths[file] = path.map { String(cString: $0) } ?? "?"
        systemSync = methods.pointee.xSync
        let counting = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
        counting.initialize(to: methods.pointee)
        counting.pointee.xSync = { file, flags in
            let path = file.flatMap { paths[$0] } ?? "?"
            count(path)
            let code = systemSync?(file, flags) ?? SQLITE_IOERR
            keepFlushed(path)
            return code
        }
        file.pointee.pMethods = UnsafePointer(counting)
        return code
    }
    sqlite3_vfs_register(counting, 1)
}

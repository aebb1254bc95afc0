// SPDX-License-Identifier: Apache-2.0

import CLibsqlite3
import Foundation
import SecItemSQLite
import SecItemStore

// Makes SQLite's writes to one file of the store fail, as beyond a user's quota.

private typealias Write = @convention(c) (Int32, UnsafeRawPointer?, Int, off_t) -> Int

// Only one thread uses it.
private nonisolated(unsafe) var refusedFile: String?
private nonisolated(unsafe) var refusedCount = 0

private let refusing: Write = { descriptor, bytes, count, offset in
    let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")
    if let refusedFile, path?.hasSuffix("/" + refusedFile) == true {
        refusedCount += 1
        errno = EDQUOT
        return -1
    }
    return pwrite(descriptor, bytes, count, offset)
}

/// Adds items before, while and after the writes to that file fail.
func useBeyondQuota(_ location: StoreLocation, _ name: String) throws {
    guard let system = sqlite3_vfs_find(nil) else { return failure("no file system") }
    for call in ["pwrite", "pwrite64"] {
        _ = system.pointee.xSetSystemCall?(system, call, unsafeBitCast(refusing, to: sqlite3_syscall_ptr.self))
    }
    let store = try SQLiteStore(location: location, cache: .none)
    try store.insert(record("before", Data()), interaction: .allowed)
    refusedFile = name
    var answer = "done"
    do throws(StoreError) {
        // So long a log that its content would be moved into the database.
        try store.insert(record("meanwhile", Data(count: 5_000_000)), interaction: .allowed)
    } catch {
        answer = error.code.name
    }
    say("\(answer) \(try find(store).count)")
    say(refusedCount > 0 ? "refused" : "nothing was written")
    refusedFile = nil
    try store.insert(record("after", Data()), interaction: .allowed)
    try store.verify()
    say("\(try find(store).count)")
    // Ends at once, because a normal exit would clean up the files.
    _exit(0)
}

// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// Lets one connection at a time, of all threads and processes, write to the database and make checkpoints.
///
/// SQLite has a lock for writers and another for checkpoints, and until 3.51.3 (Debian 12 has 3.40) too little between the
/// two: a commit that begins the log anew, in the very moment in which another connection begins a checkpoint, can be lost
/// (<https://sqlite.org/wal.html#walresetbug>). Readers do without this lock.
///
/// It is a lock on the open file `device.key`, which every store has and nobody writes: it ends with the process, however
/// that ends.
enum WriterLock {
    /// Runs `body` when nobody else writes. A thread must not call this inside `body`, or while it holds a lock that `body` of
    /// another thread may need.
    ///
    /// - Parameter patience: How long others may write without a gap.
    /// - Throws: ``StoreError/Code/unavailable`` when others have been writing for that time without a gap.
    static func hold<Result>(
        _ location: StoreLocation, patience: Duration = .seconds(20), _ body: () throws -> Result
    ) throws -> Result {
        let path = location.keyFilePath
        let file = opened(path, location.mayBeOnNetwork)
        guard file >= 0 else { throw StoreError(openingFailed: path, errno: errno) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(file)
            throw StoreError(.unavailable, "\(path) is refused: it is not a regular file")
        }
        defer {
            // A child of this process may have the file too.
            flock(file, LOCK_UN)
            close(file)
        }
        var wait = BusyWait(longestPause: 500, patience: patience)
        while flock(file, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR else { throw StoreError(openingFailed: path, errno: errno) }
            guard wait.pause() else {
                throw LockHolder.failure("other processes have been writing beside \(path) for too long", file)
            }
        }
        return try body()
    }

    private static func opened(_ path: String, _ mayBeOnNetwork: Bool) -> Int32 {
        // NFS locks only files that are open for writing.
        for access in mayBeOnNetwork ? [O_RDWR, O_RDONLY] : [O_RDONLY] {
            let file = OwnDescriptor.aboveStandard(open(path, access | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC))
            if file >= 0 { return file }
        }
        return -1
    }
}

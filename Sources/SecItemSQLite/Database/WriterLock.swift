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
final class WriterLock: Sendable {
    private let descriptor: Int32
    private let path: String
    private let patience: Duration
    /// The system's lock does not tell the threads of this process apart.
    private let isTaken = LockedValue(false)

    /// Finds the file to lock.
    ///
    /// - Parameter patience: How long others may write without a gap.
    init(_ folder: PrivateFolder, patience: Duration = .seconds(20)) throws(StoreError) {
        path = folder.location.keyFilePath
        self.patience = patience
        // NFS locks only files that are open for writing.
        let writable = folder.location.mayBeOnNetwork ? try? folder.open(path, O_RDWR) : nil
        if let writable { descriptor = writable } else { descriptor = try folder.open(path) }
    }

    deinit { close(descriptor) }

    /// Runs `body` when nobody else writes. Not twice on one thread, and not while it holds a lock that writers wait for.
    ///
    /// - Parameter patience: How long to wait, if not as usual.
    /// - Throws: ``StoreError/Code/unavailable`` when others have been writing for that time without a gap.
    func withLock<Result>(patience: Duration? = nil, _ body: () throws -> Result) throws -> Result {
        try lock(patience ?? self.patience)
        defer {
            isTaken.withLock { isTaken in
                flock(descriptor, LOCK_UN)
                isTaken = false
            }
        }
        return try body()
    }

    private func takeIfFree() throws(StoreError) -> Bool {
        try isTaken.withLock { (isTaken) throws(StoreError) in
            if isTaken { return false }
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 {
                isTaken = true
                return true
            }
            guard errno == EWOULDBLOCK || errno == EINTR else { throw StoreError(openingFailed: path, errno: errno) }
            return false
        }
    }

    private func lock(_ patience: Duration) throws(StoreError) {
        var wait = BusyWait(longestPause: 500, patience: patience)
        while try !takeIfFree() {
            guard wait.pause() else {
                throw LockHolder.failure("other processes have been writing beside \(path) for too long", descriptor)
            }
        }
    }
}

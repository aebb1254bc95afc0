// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// Lets one connection at a time, of all threads and processes, write to the database and move its log.
///
/// SQLite has a lock for writers and another for those who move the log, and until 3.51.3 (Debian 12 has 3.40) too little
/// between the two: a commit that begins the log anew, in the very moment in which another connection sets out to move
/// it, can have its pages taken for moved already, and lost (<https://sqlite.org/wal.html#walresetbug>). Each of
/// our commits moves the log, so what is rare elsewhere would happen here. Readers do without this lock.
///
/// It is a lock on the open file `device.key`, which every store has and nobody writes: it ends with the process, however
/// that ends.
final class WriterLock: Sendable {
    private let file: OpenFile?
    private let path: String
    private let patience: Duration

    /// Finds the file to lock.
    ///
    /// - Parameter patience: How long others may write without a gap.
    init(_ folder: PrivateFolder, patience: Duration = .seconds(20)) throws(StoreError) {
        path = folder.location.keyFilePath
        self.patience = patience
        file = try OpenFile(Self.open(folder, path))
    }

    /// Nobody ever writes to the file, and through a descriptor for reading nobody can by mistake. But NFS locks only files
    /// that are open for writing.
    private static func open(_ folder: PrivateFolder, _ path: String) throws(StoreError) -> Int32 {
        if folder.location.mayBeOnNetwork, let file = try? folder.open(path, O_RDWR) { return file }
        return try folder.open(path)
    }

    /// Whether the program has not closed the file by mistake.
    var hasItsFile: Bool { file?.isTheSame ?? false }

    deinit {
        // The number of somebody else's file by now is not ours to close.
        if let file, file.isTheSame { close(file.descriptor) }
    }

    private func unlock() {
        if let file, file.isTheSame { flock(file.descriptor, LOCK_UN) }
    }

    /// Runs `body` when nobody else writes. Not twice on one thread, and not while it holds a lock that writers wait for.
    ///
    /// - Throws: ``StoreError/Code/unavailable`` when others have been writing for about 20 s without a gap.
    func withLock<Result>(_ body: () throws -> Result) throws -> Result {
        try lock()
        defer { unlock() }
        return try body()
    }

    /// Runs `body` if nobody else writes just now.
    func withLockIfFree(_ body: () -> Void) throws(StoreError) {
        guard try takeIfFree() else { return }
        defer { unlock() }
        body()
    }

    private func takeIfFree() throws(StoreError) -> Bool {
        guard let file, file.isTheSame else { throw StoreError(openingFailed: path, errno: EBADF) }
        if flock(file.descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
        guard errno == EWOULDBLOCK || errno == EINTR else { throw StoreError(openingFailed: path, errno: errno) }
        return false
    }

    private func lock() throws(StoreError) {
        var wait = BusyWait(longestPause: 500, patience: patience)
        while try !takeIfFree() {
            guard wait.pause() else {
                throw StoreError(
                    .unavailable,
                    "other processes have been writing beside \(path) for too long"
                        + (file.flatMap { LockHolder(ofLockOn: $0.descriptor) }.map { ": \($0.text)" } ?? ""))
            }
        }
    }
}

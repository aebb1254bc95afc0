// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemBus
import SecItemStore

/// Serialises the writes of all programs that use this store. The Secret Service has no unique index, so the search for
/// an existing item before each insert only helps while nobody else adds one.
///
/// The writer holds the lock of the folder, and the one that is next holds the lock of a file. So a writer that has just
/// finished cannot overtake it. The others try to be next, and try more often the longer they have waited. The kernel
/// releases the locks of a writer that dies.
final class WriteLock: Sendable {
    private let folder: LockFolder

    /// - Parameter environment: Where the user's folders are looked up.
    init(environment: [String: String]) {
        folder = LockFolder(environment: environment)
    }

    /// Runs `body` while no other thread or process is inside.
    ///
    /// - Parameter patience: How many seconds are left for waiting. The time spent waiting is subtracted, so that an
    ///   operation with several waits has one limit.
    /// - Throws: `StoreError` with `.io` if the lock cannot be had in time; otherwise the errors of `body`.
    func withLock<Result>(patience: inout Double, _ body: () throws -> Result) throws -> Result {
        let lock = try take(&patience)
        defer { lock.end() }
        return try body()
    }

    private func take(_ patience: inout Double) throws(StoreError) -> FileLock {
        let start = ContinuousClock.now, deadline = Deadline(in: patience)
        defer { patience -= (ContinuousClock.now - start) / .seconds(1) }
        let folder = try folder.make()
        let next = try FileLock(folder + "/secret-service.next", O_RDWR | O_CREAT)
        guard try next.take(longestPause: 0.02, until: deadline) else {
            throw StoreError(.io, "the file system of \(folder) has no locks")
        }
        do throws(StoreError) {
            let own = try FileLock(folder, O_RDONLY | O_DIRECTORY)
            // NFS cannot lock folders. There, the writer stays the next one while it writes.
            if try !own.take(longestPause: 0.0005, until: deadline) { return next }
            next.end()
            return own
        } catch {
            next.end()
            throw error
        }
    }
}

/// The lock of an open file or folder (`flock`). Used by one thread.
private final class FileLock {
    private let descriptor: CInt
    private let path: String

    init(_ path: String, _ flags: CInt) throws(StoreError) {
        self.path = path
        descriptor = OwnDescriptor.aboveStandard(open(path, flags | O_CLOEXEC | O_NOFOLLOW, 0o600))
        guard descriptor >= 0 else { throw .system("cannot open \(path)") }
    }

    deinit {
        close(descriptor)
    }

    /// Waits for the lock. The longer it has waited, the shorter are the pauses between its tries, in seconds. So of
    /// several that wait, the first is most likely to have it.
    ///
    /// - Returns: Whether the file system has such locks.
    func take(longestPause: Double, until deadline: Deadline) throws(StoreError) -> Bool {
        let start = ContinuousClock.now
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            if [EBADF, ENOLCK, EOPNOTSUPP, EINVAL].contains(errno) { return false }
            guard errno == EWOULDBLOCK || errno == EINTR else { throw .system("cannot lock \(path)") }
            if deadline.isOver { throw StoreError(.io, "other programs hold \(path)") }
            let waited = (ContinuousClock.now - start) / .seconds(1)
            usleep(UInt32(min(longestPause, max(0.0005, 0.004 / waited)) * 1_000_000))
        }
        return true
    }

    /// Releases the lock. This is explicit because a child process may have a copy of the descriptor, so that closing it
    /// would not be enough.
    func end() {
        flock(descriptor, LOCK_UN)
    }
}

extension StoreError {
    /// A failed system call.
    static func system(_ message: String) -> StoreError {
        let cause = errno
        return StoreError(
            cause == ENOSPC || cause == EDQUOT ? .full : .io, "\(message): \(String(cString: strerror(cause)))")
    }
}

// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemBus
import SecItemStore
import Synchronization

/// Serialises the writes of all programs that use this store. The Secret Service has no unique index, so the search for
/// an existing item before each insert only helps while nobody else adds one.
///
/// Threads and processes are served in the order of their requests. Each writer takes the next number from a counter in
/// the file, locks the byte with that number, and waits until no smaller one is locked. The locks belong to open file
/// descriptions (`F_OFD_SETLK`), so the kernel releases them whenever a writer dies.
///
/// The writer that has its turn also locks the folder. If somebody deletes the file while it is in use, there is a
/// second queue beside the first, but still the same folder.
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
        let start = ContinuousClock.now
        let place: QueuePlace, hold: FolderHold
        do {
            (place, hold) = try take(until: Deadline(in: patience))
            patience -= (ContinuousClock.now - start) / .seconds(1)
        } catch {
            patience -= (ContinuousClock.now - start) / .seconds(1)
            throw error
        }
        defer {
            hold.end()
            place.end()
        }
        return try body()
    }

    private func take(until deadline: Deadline) throws(StoreError) -> (QueuePlace, FolderHold) {
        let folder = try folder.make()
        let path = folder + "/secret-service.queue"
        while true {
            let place = try QueuePlace(path)
            do throws(StoreError) {
                try place.drawNumber(until: deadline)
                try place.wait(until: deadline)
                // The file may have been deleted and created again meanwhile. The others use the new one.
                if place.isOf(path) { return (place, try FolderHold(folder, until: deadline)) }
            } catch {
                place.end()
                throw error
            }
            place.end()
        }
    }
}

/// One writer's place in the queue. Used by one thread.
private final class QueuePlace {
    private let descriptor: CInt
    private let path: String
    private var number: Int64 = 0

    /// Byte 0 is locked while a number is drawn, byte n by the writer with number n.
    private static let counter: Int64 = 0

    init(_ path: String) throws(StoreError) {
        self.path = path
        descriptor = OwnDescriptor.aboveStandard(open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600))
        guard descriptor >= 0 else { throw .system("cannot open \(path)") }
    }

    /// Releases the place. This is explicit because a child process may have a copy of the descriptor, so that closing
    /// it would not be enough.
    func end() {
        _ = lock(F_UNLCK, from: 0, count: 0)
        close(descriptor)
    }

    func isOf(_ path: String) -> Bool {
        var own = stat(), other = stat()
        return fstat(descriptor, &own) == 0 && stat(path, &other) == 0 && own.st_ino == other.st_ino
            && own.st_dev == other.st_dev
    }

    // MARK: Number

    func drawNumber(until deadline: Deadline) throws(StoreError) {
        while true {
            if try tryLock(F_WRLCK, from: Self.counter, count: 1) { break }
            try pause(0.0002, deadline)
        }
        defer { _ = lock(F_UNLCK, from: Self.counter, count: 1) }
        number = max(0, read(at: 0)) + 1
        guard number < Int64.max / 2 else {
            throw StoreError(.io, "\(path) is damaged: end the programs that use it, then delete it")
        }
        try write(number, at: 0)
        guard try tryLock(F_WRLCK, from: number, count: 1) else {
            throw StoreError(.io, "\(path) is damaged: end the programs that use it, then delete it")
        }
    }

    // MARK: Wait

    func wait(until deadline: Deadline) throws(StoreError) {
        while number > 1 {
            if try tryLock(F_RDLCK, from: 1, count: number - 1) { break }
            // The more writers are ahead, the longer the wait.
            let ahead = max(1, number - max(0, read(at: 8)))
            try pause(min(0.02, 0.0005 * Double(ahead)), deadline)
        }
        // A hint for the writers behind us. Only the frequency of their checks depends on it.
        try write(number, at: 8)
    }

    private func pause(_ seconds: Double, _ deadline: Deadline) throws(StoreError) {
        if deadline.isOver { throw StoreError(.io, "other programs hold \(path)") }
        usleep(UInt32(seconds * 1_000_000))
    }

    // MARK: System calls

    private func tryLock(_ type: CInt, from start: Int64, count: Int64) throws(StoreError) -> Bool {
        if lock(type, from: start, count: count) { return true }
        guard [EAGAIN, EACCES, EINTR].contains(errno) else { throw .system("cannot lock \(path)") }
        return false
    }

    /// `F_OFD_SETLK` of <fcntl.h>, which Foundation does not import everywhere.
    private static let setLock: CInt = 37

    private func lock(_ type: CInt, from start: Int64, count: Int64) -> Bool {
        var range = flock()
        range.l_type = Int16(type)
        range.l_whence = Int16(SEEK_SET)
        range.l_start = off_t(start)
        range.l_len = off_t(count)
        return fcntl(descriptor, Self.setLock, &range) == 0
    }

    private func read(at offset: Int64) -> Int64 {
        var value: Int64 = 0
        let count = pread(descriptor, &value, 8, off_t(offset))
        return count == 8 ? value : 0
    }

    private func write(_ value: Int64, at offset: Int64) throws(StoreError) {
        var value = value
        guard pwrite(descriptor, &value, 8, off_t(offset)) == 8 else { throw .system("cannot write \(path)") }
    }
}

/// The folder of the queue, locked by the one writer whose turn it is. Used by one thread.
private final class FolderHold {
    private let descriptor: CInt

    /// Waits until the writer of another queue is done.
    init(_ folder: String, until deadline: Deadline) throws(StoreError) {
        descriptor = OwnDescriptor.aboveStandard(open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW))
        guard descriptor >= 0 else { throw .system("cannot open \(folder)") }
        do throws(StoreError) {
            try take(folder, until: deadline)
        } catch {
            end()
            throw error
        }
    }

    private func take(_ folder: String, until deadline: Deadline) throws(StoreError) {
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            // A file system without such locks. The queue must be enough.
            if [EBADF, ENOLCK, EOPNOTSUPP, EINVAL].contains(errno) { return }
            guard errno == EWOULDBLOCK || errno == EINTR else { throw .system("cannot lock \(folder)") }
            if deadline.isOver { throw StoreError(.io, "other programs hold \(folder)") }
            usleep(2_000)
        }
    }

    /// Releases the folder explicitly, as a place in the queue.
    func end() {
        flock(descriptor, LOCK_UN)
        close(descriptor)
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

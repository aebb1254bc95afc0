// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// Admits many operations at once, or one that closes the database.
final class ConnectionGate: @unchecked Sendable {
    // All use goes through pthread.
    private let lock = UnsafeMutablePointer<pthread_rwlock_t>.allocate(capacity: 1)

    init() {
        var attributes = pthread_rwlockattr_t()
        pthread_rwlockattr_init(&attributes)
        // Otherwise a steady stream of operations would keep whoever closes waiting for ever.
        pthread_rwlockattr_setkind_np(&attributes, Int32(PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP))
        pthread_rwlock_init(lock, &attributes)
        pthread_rwlockattr_destroy(&attributes)
    }

    deinit {
        pthread_rwlock_destroy(lock)
        lock.deallocate()
    }

    /// Runs an operation while the gate is open.
    ///
    /// - Throws: ``StoreError/Code/unavailable`` if this thread has closed the gate, or too many operations run. Then `body`
    ///   did not run.
    func withPassage<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
        let status = pthread_rwlock_rdlock(lock)
        guard status == 0 else {
            throw StoreError(.unavailable, "the store cannot be entered: \(String(cString: strerror(status)))")
        }
        defer { open() }
        return try body()
    }

    /// Waits until no operation runs, and keeps the gate closed. Gives up after some seconds; with none, at once.
    func close(patience seconds: Int) -> Bool {
        if seconds == 0 { return pthread_rwlock_trywrlock(lock) == 0 }
        var deadline = timespec()
        clock_gettime(CLOCK_REALTIME, &deadline)
        deadline.tv_sec += seconds
        return pthread_rwlock_timedwrlock(lock, &deadline) == 0
    }

    func open() {
        let status = pthread_rwlock_unlock(lock)
        precondition(status == 0, "pthread_rwlock_unlock failed")
    }
}

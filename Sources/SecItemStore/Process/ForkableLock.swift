// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A lock that survives a fork: the child may reset it (``reset()``), whoever held it in the parent.
///
/// `Synchronization.Mutex` does not work in the child of a fork, because it stores thread numbers of the parent.
///
/// A failure of a lock function ends the process; otherwise two threads could use what the lock guards. Code that might
/// take the lock again on the same thread (through a log handler or a closure that uses the keychain) uses
/// ``withLockUnlessOwn(_:)``. All other code calls nothing outside while it holds the lock.
package final class ForkableLock: @unchecked Sendable {
    // Allocated once; all use goes through pthread.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

    package init() {
        reset()
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Runs `body`, which calls nothing outside, with the lock.
    package func withLock<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        lock()
        defer { unlock() }
        return try body()
    }

    /// As ``withLock(_:)``. Returns nil if this thread already holds the lock, and keeps it held.
    package func withLockUnlessOwn<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure)
        -> Result?
    {
        guard lockUnlessOwn() else { return nil }
        defer { unlock() }
        return try body()
    }

    /// As ``lock()``. Returns false if this thread already holds the lock, and keeps it held.
    package func lockUnlessOwn() -> Bool {
        let status = pthread_mutex_lock(mutex)
        if status == EDEADLK { return false }
        requireSuccess(status, "pthread_mutex_lock")
        return true
    }

    package func lock() {
        requireSuccess(pthread_mutex_lock(mutex), "pthread_mutex_lock")
    }

    package func unlock() {
        requireSuccess(pthread_mutex_unlock(mutex), "pthread_mutex_unlock")
    }

    /// Makes the lock free. Only for `init` and for the only thread of a forked child.
    package func reset() {
        var attributes = pthread_mutexattr_t()
        requireSuccess(pthread_mutexattr_init(&attributes), "pthread_mutexattr_init")
        requireSuccess(
            pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_ERRORCHECK)), "pthread_mutexattr_settype")
        requireSuccess(pthread_mutex_init(mutex, &attributes), "pthread_mutex_init")
        pthread_mutexattr_destroy(&attributes)
    }
}

/// Admits many users at once, or a single exclusive one.
package final class ForkableGate: @unchecked Sendable {
    private let lock = UnsafeMutablePointer<pthread_rwlock_t>.allocate(capacity: 1)

    package init() {
        reset()
    }

    deinit {
        pthread_rwlock_destroy(lock)
        lock.deallocate()
    }

    /// Runs `body` while nobody has exclusive use of the gate.
    ///
    /// - Throws: ``StoreError/Code/unavailable`` if this thread has exclusive use, or too many users are inside. Then
    ///   `body` did not run.
    package func withPassage<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
        let status = pthread_rwlock_rdlock(lock)
        guard status == 0 else {
            throw StoreError(.unavailable, "the store cannot be entered: \(String(cString: strerror(status)))")
        }
        defer { open() }
        return try body()
    }

    /// Waits until nobody is inside and keeps the gate shut. Gives up after some seconds.
    package func close(patience seconds: Int) -> Bool {
        var deadline = timespec()
        requireSuccess(clock_gettime(CLOCK_REALTIME, &deadline), "clock_gettime")
        deadline.tv_sec += seconds
        return pthread_rwlock_timedwrlock(lock, &deadline) == 0
    }

    package func open() {
        requireSuccess(pthread_rwlock_unlock(lock), "pthread_rwlock_unlock")
    }

    /// Makes the gate open and empty. Only for `init` and for the only thread of a forked child.
    package func reset() {
        var attributes = pthread_rwlockattr_t()
        requireSuccess(pthread_rwlockattr_init(&attributes), "pthread_rwlockattr_init")
        // Without this setting, a steady stream of readers would keep a fork waiting for ever.
        requireSuccess(
            pthread_rwlockattr_setkind_np(&attributes, Int32(PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP)),
            "pthread_rwlockattr_setkind_np")
        requireSuccess(pthread_rwlock_init(lock, &attributes), "pthread_rwlock_init")
        pthread_rwlockattr_destroy(&attributes)
    }
}

/// Ends the process instead of continuing without the lock. This only happens if the program has a mistake, never
/// because of input.
private func requireSuccess(_ status: Int32, _ call: String) {
    if status != 0 { fatalError("\(call): \(String(cString: strerror(status)))") }
}

// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A lock that outlives a fork: the child may make it new (``reset()``), whoever held it in the parent.
///
/// `Synchronization.Mutex` cannot be used where a child of a fork may go: it remembers thread numbers of the parent.
///
/// No failure of the system's is passed over: what a lock guards would be used by two at once. Whoever may meet himself
/// (by a log handler or a closure that uses the keychain) takes the lock with ``withLockUnlessOwn(_:)``; all others call
/// nobody while they have it.
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

    /// Runs `body`, which calls nobody, with the lock.
    package func withLock<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        lock()
        defer { unlock() }
        return try body()
    }

    /// As ``withLock(_:)``, or nil when this very thread has the lock already; then it keeps it.
    package func withLockUnlessOwn<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure)
        -> Result?
    {
        guard lockUnlessOwn() else { return nil }
        defer { unlock() }
        return try body()
    }

    /// As ``lock()``, or false when this very thread has the lock already; then it keeps it.
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

    /// Makes the lock free. Only for `init` and for the one thread of a forked child.
    package func reset() {
        var attributes = pthread_mutexattr_t()
        requireSuccess(pthread_mutexattr_init(&attributes), "pthread_mutexattr_init")
        requireSuccess(
            pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_ERRORCHECK)), "pthread_mutexattr_settype")
        requireSuccess(pthread_mutex_init(mutex, &attributes), "pthread_mutex_init")
        pthread_mutexattr_destroy(&attributes)
    }
}

/// Many users at once, or one that has it alone.
package final class ForkableGate: @unchecked Sendable {
    private let lock = UnsafeMutablePointer<pthread_rwlock_t>.allocate(capacity: 1)

    package init() {
        reset()
    }

    deinit {
        pthread_rwlock_destroy(lock)
        lock.deallocate()
    }

    /// Runs `body` while nobody has the gate alone.
    ///
    /// - Throws: ``StoreError/Code/unavailable`` when this very thread has it alone, or too many are inside; then `body`
    ///   did not run.
    package func withPassage<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
        let status = pthread_rwlock_rdlock(lock)
        guard status == 0 else {
            throw StoreError(.unavailable, "the store cannot be entered: \(String(cString: strerror(status)))")
        }
        defer { open() }
        return try body()
    }

    /// Waits until nobody is inside and keeps the gate shut, or gives up after some seconds.
    package func close(patience seconds: Int) -> Bool {
        var deadline = timespec()
        requireSuccess(clock_gettime(CLOCK_REALTIME, &deadline), "clock_gettime")
        deadline.tv_sec += seconds
        return pthread_rwlock_timedwrlock(lock, &deadline) == 0
    }

    package func open() {
        requireSuccess(pthread_rwlock_unlock(lock), "pthread_rwlock_unlock")
    }

    /// Makes the gate open and empty. Only for `init` and for the one thread of a forked child.
    package func reset() {
        var attributes = pthread_rwlockattr_t()
        requireSuccess(pthread_rwlockattr_init(&attributes), "pthread_rwlockattr_init")
        // Without this a steady stream of readers would keep a fork waiting for ever.
        requireSuccess(
            pthread_rwlockattr_setkind_np(&attributes, Int32(PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP)),
            "pthread_rwlockattr_setkind_np")
        requireSuccess(pthread_rwlock_init(lock, &attributes), "pthread_rwlock_init")
        pthread_rwlockattr_destroy(&attributes)
    }
}

/// Ends the process rather than go on without the lock: this says that the program is wrong, never that its input is.
private func requireSuccess(_ status: Int32, _ call: String) {
    if status != 0 { fatalError("\(call): \(String(cString: strerror(status)))") }
}

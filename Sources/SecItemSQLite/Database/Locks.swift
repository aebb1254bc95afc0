import Foundation

/// A lock that outlives a fork: the child may make it new (``reset()``), whoever held it in the parent.
///
/// `Synchronization.Mutex` cannot be used where a child of a fork may go: it remembers thread numbers of the parent.
final class ForkableLock: @unchecked Sendable {
    // Allocated once; all use goes through pthread.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

    init() {
        reset()
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    func withLock<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body()
    }

    func lock() {
        pthread_mutex_lock(mutex)
    }

    /// As ``withLock(_:)``, or nil when this very thread has the lock already.
    func withLockUnlessOwn<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result? {
        guard pthread_mutex_lock(mutex) == 0 else { return nil }
        defer { pthread_mutex_unlock(mutex) }
        return try body()
    }

    func unlock() {
        pthread_mutex_unlock(mutex)
    }

    /// Makes the lock free. Only for `init` and for the one thread of a forked child.
    func reset() {
        var attributes = pthread_mutexattr_t()
        pthread_mutexattr_init(&attributes)
        pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_ERRORCHECK))
        pthread_mutex_init(mutex, &attributes)
        pthread_mutexattr_destroy(&attributes)
    }
}

/// Many users at once, or one that has it alone.
final class ForkableGate: @unchecked Sendable {
    private let lock = UnsafeMutablePointer<pthread_rwlock_t>.allocate(capacity: 1)

    init() {
        reset()
    }

    deinit {
        pthread_rwlock_destroy(lock)
        lock.deallocate()
    }

    /// Runs `body` while nobody has the gate alone.
    func withPassage<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        pthread_rwlock_rdlock(lock)
        defer { pthread_rwlock_unlock(lock) }
        return try body()
    }

    /// Waits until nobody is inside and keeps the gate shut, or gives up after some seconds.
    func close(patience seconds: Int) -> Bool {
        var deadline = timespec()
        clock_gettime(CLOCK_REALTIME, &deadline)
        deadline.tv_sec += seconds
        return pthread_rwlock_timedwrlock(lock, &deadline) == 0
    }

    func open() {
        pthread_rwlock_unlock(lock)
    }

    /// Makes the gate open and empty. Only for `init` and for the one thread of a forked child.
    func reset() {
        var attributes = pthread_rwlockattr_t()
        pthread_rwlockattr_init(&attributes)
        // Without this a steady stream of readers would keep a fork waiting for ever.
        pthread_rwlockattr_setkind_np(&attributes, Int32(PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP))
        pthread_rwlock_init(lock, &attributes)
        pthread_rwlockattr_destroy(&attributes)
    }
}

// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A value that one thread at a time uses.
///
/// It is like `Synchronization.Mutex`, which a forked child cannot use: Swift remembers the number of the parent's thread
/// there, and ends the child as soon as two of its threads want the same mutex.
package final class LockedValue<Value>: @unchecked Sendable {
    // Allocated once; all use goes through pthread.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    // Guarded by `mutex`.
    private var value: Value

    package init(_ value: sending Value) {
        self.value = value
        var attributes = pthread_mutexattr_t()
        pthread_mutexattr_init(&attributes)
        pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_ERRORCHECK))
        pthread_mutex_init(mutex, &attributes)
        pthread_mutexattr_destroy(&attributes)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Runs `body`, which is short and calls nothing outside, with exclusive access to the value. `body` must not call this
    /// again: that ends the process.
    package func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let status = pthread_mutex_lock(mutex)
        precondition(status == 0, "pthread_mutex_lock failed")
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value)
    }
}

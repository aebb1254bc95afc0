// SPDX-License-Identifier: Apache-2.0

/// A value behind a lock, usable in both parent and child after a `fork()`.
///
/// A fork waits while the value is in use. So `body` must be short, and must not fork or call code that may.
package final class ForkableState<Value>: ForkAware, @unchecked Sendable {
    private let lock = ForkableLock()
    // Guarded by `lock`.
    private var value: Value

    /// - Parameter moment: `operations` for a value whose users need other values, or make objects, meanwhile.
    package init(_ value: sending Value, stopping moment: ForkHandlers.Moment = .state) {
        self.value = value
        ForkHandlers.register(self, stopping: moment)
    }

    /// Runs `body` with exclusive access to the value. Must not be called from within `body`.
    package func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try lock.withLock { () throws(Failure) in try body(&value) }
    }

    package func willFork() { lock.lock() }
    package func didForkInParent() { lock.unlock() }
    package func didForkInChild() { lock.reset() }
}

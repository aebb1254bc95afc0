// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// Keeps a store usable on both sides of a `fork()`.
///
/// SQLite's connections must not cross a fork: the child would believe in file locks that only the parent holds. It is
/// not enough to leave the parent's connections alone, because SQLite shares what it knows of a file among all the
/// connections of a process. So `fork()` first waits for the operations under way, closes the connections, and both
/// sides open theirs anew with their next operation. (`posix_spawn`, `system` and `popen` do not come by here and need
/// none of it.)
final class ForkGuard: ForkAware, @unchecked Sendable {
    private let gate = ForkableGate()
    /// For the state of the store: free in the child, whoever had it in the parent.
    let stateLock = ForkableLock()
    /// What is closed before a fork. Set by an operation, and read by the fork handlers when no operation runs.
    var connection: StoreConnection?
    // Written by the fork handlers only, while nobody else runs.
    private var isStoppedForFork = false
    private var isClosedForFork = false
    private var isUnusable = false
    private var processID = getpid()

    init() {
        ForkHandlers.register(self, stopping: .operations)
    }

    /// Runs an operation of the store. Operations do not nest, and call nothing that could fork.
    ///
    /// - Parameter isLookUp: Whether it writes nothing but what SQLite needs to read.
    func guarding<Result>(
        isLookUp: Bool = false, _ body: () throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        // A lock of the parent's, never seen to be free, must not be waited for: ask this first.
        if processID != getpid() || isUnusable { throw Self.unusable }
        return try gate.withPassage { () throws(StoreError) in
            try StoreOperation.during { () throws(StoreError) in
                try isLookUp ? withFileSizeLimitAsErrorIfLimited(body) : withFileSizeLimitAsError(body)
            }
        }
    }

    /// Closes the connection of a store that nobody has any more.
    ///
    /// As an operation: a fork in the middle of it would leave the child with locks inside SQLite that nobody frees.
    func end() {
        guard let connection else { return }
        var isClosed = false
        do throws(StoreError) {
            isClosed = try guarding { connection.close() }
        } catch {
            // It is the parent's: to close it here would let go of the parent's locks.
        }
        // It stays as it is for good.
        if !isClosed { _ = Unmanaged.passRetained(connection) }
    }

    private static let unusable = StoreError(
        .unavailable, "the process forked while the store was in use: open it again, or fork with fork()")

    // MARK: Handlers

    package func willFork() {
        isStoppedForFork = gate.close(patience: 25)
        isClosedForFork = isStoppedForFork && connection?.close() ?? true
    }

    package func didForkInParent() {
        if isStoppedForFork { gate.open() }
    }

    package func didForkInChild() {
        processID = getpid()
        isUnusable = isUnusable || !isClosedForFork
        gate.reset()
        connection?.resetLock()
        stateLock.reset()
    }
}

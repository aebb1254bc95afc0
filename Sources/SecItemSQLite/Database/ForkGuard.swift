import Foundation
import SecItemStore

/// Keeps a store usable on both sides of a `fork()`.
///
/// SQLite's connections must not cross a fork: the child would believe in file locks that only the parent holds. It is
/// not enough to leave the parent's connections alone, because SQLite shares what it knows of a file among all the
/// connections of a process. So `fork()` first waits for the operations under way, closes the connections, and both
/// sides open theirs anew with their next operation. (`posix_spawn`, `system` and `popen` do not come by here and need
/// none of it.)
final class ForkGuard: @unchecked Sendable {
    private let gate = ForkableGate()
    private let prepare: @Sendable () -> Void
    private let reset: @Sendable () -> Void
    // Written by the fork handlers only, while nobody else runs.
    private var isClosedForFork = false
    private var isUnusable = false
    private var processID = getpid()

    /// - Parameters:
    ///   - prepare: Closes the connections.
    ///   - reset: Makes locks new, in the child.
    init(prepare: @escaping @Sendable () -> Void, reset: @escaping @Sendable () -> Void) {
        self.prepare = prepare
        self.reset = reset
        ForkHandlers.register(self)
    }

    /// Runs an operation of the store. Operations do not nest, and call nothing that could fork.
    func guarding<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(StoreError) -> Result {
        do {
            // A lock of the parent's, never seen to be free, must not be waited for: ask this first.
            if processID != getpid() || isUnusable { throw Self.unusable }
            return try gate.withPassage(body)
        } catch let error as StoreError {
            throw error
        } catch {
            throw StoreError(.io, "the operation failed", underlying: error)
        }
    }

    private static let unusable = StoreError(
        .unavailable, "the process forked while the store was in use: open it anew, or fork with fork()")

    // MARK: Handlers

    fileprivate func willFork() {
        isClosedForFork = gate.close(patience: 25)
        if isClosedForFork { prepare() }
    }

    fileprivate func didForkInParent() {
        if isClosedForFork { gate.open() }
    }

    fileprivate func didForkInChild() {
        processID = getpid()
        isUnusable = isUnusable || !isClosedForFork
        gate.reset()
        reset()
    }
}

/// What runs before and after `fork()`, for all stores of the process.
private enum ForkHandlers {
    private final class Entry {
        weak var guarded: ForkGuard?

        init(_ guarded: ForkGuard) {
            self.guarded = guarded
        }
    }

    private static let lock = ForkableLock()
    // Guarded by `lock`, which a fork holds from before to after.
    private nonisolated(unsafe) static var entries: [Entry] = []
    private nonisolated(unsafe) static var forking: [ForkGuard] = []
    private static let isInstalled: Bool = {
        pthread_atfork(
            {
                ForkHandlers.lock.lock()
                ForkHandlers.forking = ForkHandlers.entries.compactMap(\.guarded)
                for guarded in ForkHandlers.forking { guarded.willFork() }
            },
            {
                for guarded in ForkHandlers.forking { guarded.didForkInParent() }
                let forked = ForkHandlers.forking
                ForkHandlers.forking = []
                ForkHandlers.lock.unlock()
                // The last reference may be this one, and what it frees may register or fork.
                withExtendedLifetime(forked) {}
            },
            {
                for guarded in ForkHandlers.forking { guarded.didForkInChild() }
                ForkHandlers.forking = []
                ForkHandlers.lock.reset()
            }
        ) == 0
    }()

    static func register(_ guarded: ForkGuard) {
        _ = isInstalled
        lock.withLock {
            entries.removeAll { $0.guarded == nil }
            entries.append(Entry(guarded))
        }
    }
}

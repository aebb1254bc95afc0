import Synchronization

/// What there is one of in a process, made before anything else, and not while the process forks.
///
/// Swift makes a `static let` when it is first used, and lets other threads wait for that. A child that is forked in this
/// moment waits for ever: the thread that was making it is not in the child. So the first use of a keychain has everything
/// made at once, and a fork waits until that is done.
package enum FirstUse {
    /// Held while things are made, and by a fork from before to after.
    private static let lock = ForkableLock()
    private static let isOver = Atomic(false)

    /// Runs `make`, if nobody has yet, or waits for who does.
    ///
    /// - Parameter make: Calls nobody of the application's. If it comes by here itself, it goes on with what is made so far.
    package static func prepare(_ make: () -> Void) {
        // First of all, so that a fork comes by here from now on.
        ForkHandlers.install()
        if isOver.load(ordering: .acquiring) { return }
        lock.withLockUnlessOwn {
            if isOver.load(ordering: .acquiring) { return }
            make()
            isOver.store(true, ordering: .releasing)
        }
    }

    // MARK: Forks

    /// - Returns: Whether the lock was taken; the thread that forks may have it.
    static func stop() -> Bool {
        // Made here, if it is not yet: this thread waits for who makes it, and it is done before the fork.
        _ = isOver.load(ordering: .relaxed)
        return lock.lockUnlessOwn()
    }

    static func goOnInParent(_ wasTaken: Bool) {
        if wasTaken { lock.unlock() }
    }

    static func goOnInChild(_ wasTaken: Bool) {
        lock.reset()
        if !wasTaken { lock.lock() }
    }
}

// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging

/// An object that must be prepared for a `fork()`.
package protocol ForkAware: AnyObject, Sendable {
    /// Runs in the forking thread before the fork.
    func willFork()
    /// Runs in the forking thread of the parent after the fork.
    func didForkInParent()
    /// Runs in the one thread of the child.
    ///
    /// It must create nothing that Swift creates at the first use of some code, such as the type of a loop's iterator.
    /// Swift holds a lock of its runtime meanwhile. If another thread of the parent held that lock at the moment of the
    /// fork, the child would wait for ever. So `willFork` runs the same code once.
    func didForkInChild()
}

/// Calls the registered objects before and after each `fork()`.
package enum ForkHandlers {
    /// The order in which objects stop before a fork: first operations, which use state, then the state, then the
    /// memory of both. After the fork they continue in the reverse order.
    package enum Moment: Sendable {
        /// Waits for work in progress, perhaps for seconds. Such work may register further objects.
        case operations
        /// Takes a lock that is only held briefly, and never while an object is registered.
        case state
        /// The same, for memory that others need while they stop or continue.
        case memory
    }

    private final class Entry {
        weak var participant: (any ForkAware)?
        let moment: Moment

        init(_ participant: any ForkAware, _ moment: Moment) {
            self.participant = participant
            self.moment = moment
        }
    }

    /// Held by a fork from before to after, so that there is one at a time.
    private static let forkLock = ForkableLock()
    // Guarded by `forkLock`.
    private nonisolated(unsafe) static var stopped: [any ForkAware] = []
    /// Held briefly, and by a fork after all objects have stopped.
    private static let registry = ForkableLock()
    // Guarded by `registry`.
    private nonisolated(unsafe) static var entries: [Entry] = []

    /// Whether this fork holds the lock of ``FirstUse``. Guarded by `forkLock`.
    private nonisolated(unsafe) static var holdsFirstUse = false

    /// Initialised by a constant, so its first use creates nothing. Unlike Swift's `static let`, `pthread_once` starts
    /// again in a child that was forked in the middle of it.
    private nonisolated(unsafe) static var installation: pthread_once_t = 0

    /// Makes forks call everything that registers from now on.
    static func install() {
        pthread_once(&installation) {
            _ = pthread_atfork(
                { ForkHandlers.stopAll() }, { ForkHandlers.goOnInParent() }, { ForkHandlers.goOnInChild() })
            StoreOperation.install()
        }
    }

    /// Calls the participant around each fork, for as long as it lives.
    package static func register(_ participant: any ForkAware, stopping moment: Moment) {
        install()
        registry.withLock {
            entries.removeAll { $0.participant == nil }
            entries.append(Entry(participant, moment))
        }
    }

    private static func stopAll() {
        // Another thread may still be inside `install()`. In the child, that thread would not exist.
        install()
        forkLock.lock()
        holdsFirstUse = FirstUse.stop()
        // Objects of which a process has one register when they are created. A thread that creates one now would wait
        // for this fork, and in the child the creation would never finish.
        SecretMemory.prepare()
        Turn.prepare()
        Logger.prepareKeychainLog()
        registry.lock()
        // Work in progress may register further objects before it ends, so this repeats until there are none.
        while let operations = running(.operations) {
            registry.unlock()
            for participant in operations { participant.willFork() }
            stopped += operations
            registry.lock()
        }
        for moment in [Moment.state, .memory] {
            let participants = running(moment) ?? []
            for participant in participants { participant.willFork() }
            stopped += participants
        }
        // Done here because the first reversal of a list in Swift takes a lock of the runtime, which another thread may
        // hold at the moment of the fork.
        stopped.reverse()
    }

    /// The objects of that moment that have not stopped yet, or nil if there are none.
    private static func running(_ moment: Moment) -> [any ForkAware]? {
        let all = entries.filter { $0.moment == moment }.compactMap(\.participant)
        let running = all.filter { participant in !stopped.contains { $0 === participant } }
        return running.isEmpty ? nil : running
    }

    private static func goOnInParent() {
        let participants = stopped
        stopped = []
        for participant in participants { participant.didForkInParent() }
        registry.unlock()
        FirstUse.goOnInParent(holdsFirstUse)
        forkLock.unlock()
        // This may be the last reference, and releasing the object may register or fork.
        withExtendedLifetime(participants) {}
    }

    private static func goOnInChild() {
        let participants = stopped
        stopped = []
        for participant in participants { participant.didForkInChild() }
        registry.reset()
        FirstUse.goOnInChild(holdsFirstUse)
        forkLock.reset()
        withExtendedLifetime(participants) {}
    }
}

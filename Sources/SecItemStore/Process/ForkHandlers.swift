// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging

/// Something that must be put in order around a `fork()`.
package protocol ForkAware: AnyObject, Sendable {
    /// Runs in the forking thread before the fork.
    func willFork()
    /// Runs in the forking thread of the parent after the fork.
    func didForkInParent()
    /// Runs in the one thread of the child.
    func didForkInChild()
}

/// What runs before and after `fork()`, for everything in the process that registered.
package enum ForkHandlers {
    /// When something is stopped before a fork: first operations, which use state, then the state, then the memory of
    /// both. What is stopped last goes on first.
    package enum Moment: Sendable {
        /// Waits for work in progress, perhaps for seconds. Such work may register others.
        case operations
        /// Takes a lock that is only ever held for a moment, by nobody who registers others.
        case state
        /// The same, for what others need while they stop or go on.
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

    /// Held by a fork from before to after: one at a time.
    private static let forkLock = ForkableLock()
    // Guarded by `forkLock`.
    private nonisolated(unsafe) static var stopped: [any ForkAware] = []
    /// Held for a moment, and by a fork from when all are stopped to after.
    private static let registry = ForkableLock()
    // Guarded by `registry`.
    private nonisolated(unsafe) static var entries: [Entry] = []

    /// Whether this fork holds up what there is one of. Guarded by `forkLock`.
    private nonisolated(unsafe) static var holdsFirstUse = false

    /// A constant at first, and so in the program's file: nothing makes it when it is used. Unlike Swift's `static let`,
    /// `pthread_once` begins anew in the child of a fork that came in the middle of it.
    private nonisolated(unsafe) static var installation: pthread_once_t = 0

    /// Has forks stop and go on with everything that registers, from now on.
    static func install() {
        pthread_once(&installation) {
            _ = pthread_atfork(
                { ForkHandlers.stopAll() }, { ForkHandlers.goOnInParent() }, { ForkHandlers.goOnInChild() })
        }
    }

    /// Calls the participant around each fork from now on, for as long as it lives.
    package static func register(_ participant: any ForkAware, stopping moment: Moment) {
        install()
        registry.withLock {
            entries.removeAll { $0.participant == nil }
            entries.append(Entry(participant, moment))
        }
    }

    private static func stopAll() {
        // Another thread may still be on its way out of it: in the child nobody would be.
        install()
        forkLock.lock()
        holdsFirstUse = FirstUse.stop()
        // What is made once in the life of the process registers itself. A thread that is about to make one would wait for
        // this fork to be over, and in the child nobody would ever be done making it.
        SecretMemory.prepare()
        Turn.prepare()
        Logger.prepareKeychainLog()
        registry.lock()
        // Work in progress may register others before it ends: until there is nobody new.
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
        // Here, for what Swift makes when a list is turned round for the first time takes a lock of Swift's, which another
        // thread may have in the moment of the fork.
        stopped.reverse()
    }

    /// Those of that moment that are not stopped yet, or nil when there are none.
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
        // The last reference may be this one, and what it frees may register or fork.
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

// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemShim
import SecItemStore
import Security
import Synchronization

/// Forks while another thread makes the first keychain call of the process.
///
/// The query is made before the fork. Swift and Foundation create objects of their own while a program builds its first
/// dictionary, and the keychain cannot make a fork wait for those.
enum FirstCallProbe {
    private nonisolated(unsafe) static let query = password("account")

    /// - Parameter microseconds: The time between the beginning of the call and the fork.
    static func fork(after microseconds: UInt32) {
        _ = query
        // Not one of Foundation's threads, because the objects that such a thread creates when it starts would be
        // incomplete in the child.
        var thread = pthread_t()
        pthread_create(
            &thread, nil,
            { _ in
                _ = SecItemCopyMatching(FirstCallProbe.query, nil)
                return nil
            }, nil)
        usleep(microseconds)
        say(childEnd())
    }

    /// Forks while another thread makes the second call, which is the first of its kind. The first call was made
    /// without other threads, and did not prepare the objects that only several threads need.
    static func forkInSecondCall(after microseconds: UInt32) {
        _ = label
        guard SecItemCopyMatching(query, nil) == errSecItemNotFound else { return say("found") }
        var thread = pthread_t()
        pthread_create(
            &thread, nil,
            { _ in
                _ = SecItemUpdate(FirstCallProbe.query, FirstCallProbe.label)
                _ = SecItemDelete(FirstCallProbe.query)
                return nil
            }, nil)
        usleep(microseconds)
        say(
            childEnd {
                let statuses = (SecItemDelete(query), SecItemUpdate(query, label))
                return statuses == (errSecItemNotFound, errSecItemNotFound)
            })
    }

    private nonisolated(unsafe) static let label = [kSecAttrLabel: "label"] as CFDictionary

    /// The fork takes a while, and the first call begins during it.
    static func forkSlowly() {
        // The program's own handler runs after the library's, which is registered later.
        pthread_atfork({ usleep(300_000) }, nil, nil)
        let early = InMemoryStore()
        _ = query
        Thread.detachNewThread {
            usleep(100_000)
            _ = SecItemCopyMatching(query, nil)
        }
        say(childEnd())
        withExtendedLifetime(early) {}
    }

    // MARK: Operations

    private static let isOver = Atomic(false)

    /// Forks while another thread performs the first operation of a kind, which takes a while.
    static func forkInOperation() {
        let begun = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            FirstUse.performing("an operation") {
                begun.signal()
                usleep(300_000)
                isOver.store(true, ordering: .releasing)
            }
        }
        begun.wait()
        // The fork has waited, and the lock is free in both processes.
        say(
            childEnd {
                isOver.load(ordering: .acquiring) && FirstUse.performing("an operation") { true }
                    && FirstUse.performing("another") { true }
            })
        say("parent \(FirstUse.performing("a third") { true })")
    }

    // MARK: The child

    /// The end of a child that makes a call of its own.
    static func childEnd(
        _ use: () -> Bool = {
            let statuses = (SecItemCopyMatching(query, nil), SecItemCopyMatching(query, nil))
            return statuses == (errSecItemNotFound, errSecItemNotFound)
        }
    ) -> String {
        let child = forkProcess()
        if child == 0 {
            // Ends the child if it hangs.
            alarm(30)
            _exit(use() ? 0 : 1)
        }
        var status: Int32 = 0
        guard child > 0 else { return "no child" }
        // A child that hangs in a handler of the fork has not reached its own alarm.
        for _ in 0..<4_000 {
            guard waitpid(child, &status, WNOHANG) == 0 else { return "child \(status)" }
            usleep(10_000)
        }
        kill(child, SIGKILL)
        waitpid(child, nil, 0)
        return "child hangs"
    }

    // Swift does not allow calling `fork` by its name.
    private static let forkProcess = unsafeBitCast(
        dlsym(nil, "fork"), to: (@convention(c) () -> pid_t).self)
}

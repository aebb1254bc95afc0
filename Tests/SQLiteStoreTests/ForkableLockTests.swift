// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore
import TestSupport
import Testing

@testable import SecItemSQLite

/// The lock that the store uses.
@Suite struct ForkableLockTests {
    /// A thread that takes the lock twice neither gets it nor releases it to others.
    @Test func lockTakenTwice_staysWithItsHolder() {
        let lock = ForkableLock()
        let isIn = Shared(false)
        var other: Worker?
        lock.withLock {
            let inner: Void? = lock.withLockUnlessOwn {}
            #expect(inner == nil)
            other = Worker { lock.withLock { isIn.change { $0 = true } } }
            usleep(50_000)
            // If the inner call had released the lock, the other thread would have it.
            #expect(!isIn.value)
        }
        other?.join()
        #expect(isIn.value)
        #expect(lock.withLockUnlessOwn { true } == true)
    }

    @Test func gateOfTheCloser_turnsHimAway() throws {
        let gate = ForkableGate()
        #expect(gate.close(patience: 1))
        expect(.unavailable) { try gate.withPassage { () throws(StoreError) -> Void in _ = Issue.record("inside") } }
        gate.open()
        #expect(try gate.withPassage { () throws(StoreError) in 5 } == 5)
        #expect(gate.close(patience: 1))
        gate.open()
    }
}

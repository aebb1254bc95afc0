// SPDX-License-Identifier: Apache-2.0

import SecItemStore
import TestSupport
import Testing

@testable import SecItemSealing

/// How much memory scrypt takes in all threads together.
@Suite struct ScryptGateTests {
    /// For all needs: never more than the limit at once, unless one alone takes more; and everybody has a turn.
    @Test(arguments: 1...7) func threads_takeNoMoreThanTheLimit(_ need: Int) {
        let limit = 5
        let gate = ScryptGate(greatestMemory: limit)
        let taken = Shared(0), greatest = Shared(0), turns = Shared(0)
        let workers = (0..<8).map { _ in
            Worker {
                for _ in 0..<5 {
                    _ = try? gate.perform(taking: need, isCancelled: { false }) { () throws(StoreError) in
                        taken.change { $0 += need }
                        let now = taken.value
                        greatest.change { $0 = max($0, now) }
                        taken.change { $0 -= need }
                        turns.change { $0 += 1 }
                    }
                }
            }
        }
        for worker in workers { worker.join() }
        #expect(turns.value == 40)
        #expect((need...max(limit, need)).contains(greatest.value), "\(greatest.value)")
    }

    /// A cost is at least another one if neither its memory nor its work is less.
    @Test func costIsAtLeastAnother_inMemoryAndInWork() throws {
        let standard = try #require(ScryptCost(logarithmOfRounds: 11, blockSize: 8, parallelism: 2))
        for logarithm in UInt8(10)...12 {
            for parallelism in UInt8(1)...4 {
                let cost = try #require(
                    ScryptCost(logarithmOfRounds: logarithm, blockSize: 8, parallelism: parallelism))
                let memory = 1 << Int(logarithm), work = memory * Int(parallelism)
                let isEnough = memory >= 1 << 11 && work >= 2 << 11
                #expect(cost.isAtLeast(standard) == isEnough, "\(logarithm) \(parallelism)")
            }
        }
    }

    /// Who waits may stop waiting; whoever has a turn keeps it.
    @Test func wait_thatIsCancelled_ends() throws {
        let gate = ScryptGate(greatestMemory: 1)
        let ran = try gate.perform(taking: 1, isCancelled: { true }) { () throws(StoreError) in
            let error = #expect(throws: StoreError.self) {
                try gate.perform(taking: 1, isCancelled: { true }) { () throws(StoreError) in }
            }
            #expect(error?.code == .authenticationFailed)
            return true
        }
        #expect(ran)
        try gate.perform(taking: 1, isCancelled: { true }) { () throws(StoreError) in }
    }
}

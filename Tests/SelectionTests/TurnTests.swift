// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore
import Synchronization
import Testing

/// One thread at a time may prompt a person, and others wait.
@Suite(.timeLimit(.minutes(60))) struct TurnTests {
    private static func code(_ body: () throws -> Void) -> StoreError.Code? {
        do { try body() } catch { return (error as? StoreError)?.code }
        return nil
    }

    /// Another thread that takes the turn, and holds it until `release` is called.
    private final class Holder: @unchecked Sendable {
        private let released = DispatchSemaphore(value: 0)
        private let ended = DispatchSemaphore(value: 0)

        init(_ turn: Turn, asking: Bool) {
            let isHeld = DispatchSemaphore(value: 0)
            let thread = Thread { [released, ended] in
                try? turn.take(mayAsk: true)
                let wait = {
                    isHeld.signal()
                    released.wait()
                }
                if asking { Turn.whileAsking(wait) } else { wait() }
                turn.leave()
                ended.signal()
            }
            thread.start()
            isHeld.wait()
        }

        func release() {
            released.signal()
            ended.wait()
        }
    }

    @Test func personIsAsked_whoMustNotAsk_isTurnedAway_othersWait() throws {
        let turn = Turn()
        let holder = Holder(turn, asking: true)
        #expect(Self.code { try turn.take(mayAsk: false, patience: 600) } == .locked)
        #expect(Self.code { try turn.take(mayAsk: true, patience: 0) } == .locked)
        DispatchQueue.global().asyncAfter(deadline: .now() + 0.05) { holder.release() }
        try turn.take(mayAsk: true)
        turn.leave()
    }

    @Test func nobodyIsAsked_whoMustNotAsk_waits() throws {
        let turn = Turn()
        let holder = Holder(turn, asking: false)
        DispatchQueue.global().asyncAfter(deadline: .now() + 0.05) { holder.release() }
        try turn.take(mayAsk: false)
        turn.leave()
    }

    @Test func questionThatBeginsLater_sendsAwayWhoWaitsAlready() throws {
        let turn = Turn()
        let mayAskNow = DispatchSemaphore(value: 0), isOver = DispatchSemaphore(value: 0)
        let isTaken = DispatchSemaphore(value: 0)
        Thread {
            try? turn.take(mayAsk: true)
            isTaken.signal()
            mayAskNow.wait()
            Turn.whileAsking { isOver.wait() }
            turn.leave()
        }.start()
        isTaken.wait()
        DispatchQueue.global().asyncAfter(deadline: .now() + 0.05) { mayAskNow.signal() }
        #expect(Self.code { try turn.take(mayAsk: false, patience: 600) } == .locked)
        isOver.signal()
    }

    @Test func sameThreadAgain_isTurnedAway() throws {
        let turn = Turn()
        try turn.take(mayAsk: true)
        for mayAsk in [true, false] { #expect(Self.code { try turn.take(mayAsk: mayAsk) } == .locked) }
        turn.leave()
        try turn.take(mayAsk: false)
        turn.leave()
    }

    @Test func manyThreads_areAlone() {
        let turn = Turn()
        let inside = Atomic(0), most = Atomic(0), count = Atomic(0)
        DispatchQueue.concurrentPerform(iterations: 8) { number in
            for _ in 0..<200 where (try? turn.take(mayAsk: number % 2 == 0)) != nil {
                let now = inside.add(1, ordering: .sequentiallyConsistent).newValue
                most.max(now, ordering: .sequentiallyConsistent)
                count.add(1, ordering: .sequentiallyConsistent)
                inside.subtract(1, ordering: .sequentiallyConsistent)
                turn.leave()
            }
        }
        #expect(most.load(ordering: .sequentiallyConsistent) == 1)
        #expect(count.load(ordering: .sequentiallyConsistent) == 1_600)
    }
}

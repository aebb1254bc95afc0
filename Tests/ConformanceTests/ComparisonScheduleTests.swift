// SPDX-License-Identifier: Apache-2.0

import SecItemConformance
import Testing

@testable import SecItemSynchronizing

/// When a copy is compared, and when a server that was away is tried again.
@Suite struct ComparisonScheduleTests {
    /// In random histories, one comparison is in progress at most, and each change that a comparison may have missed is
    /// followed by another comparison.
    @Test func changes_areNeverLeftOut() {
        var random = SeededGenerator()
        for _ in RandomRounds.usually(300) {
            var schedule = ComparisonSchedule()
            var isInProgress = false, isMissed = false, isEqual = false
            for _ in 0..<60 {
                switch Int.random(in: 0..<5, using: &random) {
                case 0:
                    #expect(schedule.begin() == !isInProgress)
                    // Who wants one now does not know what the one in progress has read.
                    if isInProgress { isMissed = true }
                    isInProgress = true
                case 1 where isInProgress:
                    schedule.reads()
                    isMissed = false
                case 2:
                    schedule.somethingChanged()
                    isMissed = true
                case 3 where isInProgress:
                    isEqual = Bool.random(using: &random)
                    let goesOn = Bool.random(using: &random)
                    let isNext = schedule.ended(isEqual: isEqual, goesOn: goesOn)
                    #expect(isNext == (isEqual && isMissed))
                    isInProgress = isNext && goesOn
                    #expect(schedule.isDue == (!isEqual && !isInProgress))
                    #expect(!schedule.isUnknown)
                case 4 where !isInProgress:
                    schedule.copyIsOld()
                    #expect(schedule.isDue)
                default: break
                }
            }
        }
    }

    @Test func rest_endsOnlyWhenTheReasonMayBeGone() {
        var schedule = ComparisonSchedule()
        #expect(schedule.isUnknown && schedule.isDue && !schedule.isAtRest)
        schedule.rest(1_000)
        schedule.copyIsOld()
        #expect(schedule.isAtRest && !schedule.isUnknown)
        schedule.becomesDue()
        #expect(schedule.isDue && !schedule.isAtRest)
        schedule.copyIsFresh()
        #expect(!schedule.isDue)
    }

    /// While the store is away, one look-up after each pause starts an attempt, and all others do without.
    @Test func attempts_areMadeByOneAtATime() {
        var reach = Reach(patience: 0)
        #expect(reach.ask() == (false, false))
        for _ in 0..<3 {
            reach.failed()
            #expect(reach.isAway)
            #expect(reach.ask() == (true, true))
            #expect(reach.ask() == (true, false))
            reach.endOfAttempt()
        }
        reach.failedApart(pause: 1_000)
        #expect(reach.ask() == (true, false))
        // A failure never makes the pause shorter.
        reach.failed()
        #expect(reach.ask() == (true, false))
        reach.succeeded()
        #expect(!reach.isAway && reach.ask() == (false, false))
    }
}

// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemConformance
import SecItemStore
import Testing

@testable import SecItemSQLite
@testable import SecItemSealing

/// What is kept of an unlocked store for other processes.
@Suite struct SharedUnlockTests {
    /// The time is that since the machine started, and goes on: otherwise no limit would ever be reached.
    @Test(.timeLimit(.minutes(60))) func time_isThatOfTheMachine() throws {
        func seconds(_ clock: clockid_t) -> UInt64 {
            var time = timespec()
            clock_gettime(clock, &time)
            return UInt64(time.tv_sec)
        }
        let before = seconds(CLOCK_BOOTTIME), awakeBefore = seconds(CLOCK_MONOTONIC)
        let time = MachineTime.now
        let after = seconds(CLOCK_BOOTTIME), awakeAfter = seconds(CLOCK_MONOTONIC)
        #expect(before <= time.sinceStart && time.sinceStart <= after)
        // The part of a second that each of both clocks has beyond.
        #expect(time.asleep + 1 >= before - min(awakeAfter, before) && time.asleep <= after - awakeBefore + 1)
        while MachineTime.now.sinceStart == time.sinceStart { usleep(10_000) }
    }

    /// Limits, time and keys come back as they were written, and whatever is shorter or longer is something else.
    @Test func whatIsKept_comesBack() throws {
        let keys = Data((0..<KeyName.belowRoot.count * Secret.keyByteCount).map { UInt8(truncatingIfNeeded: $0) })
        for timeout in [nil, 0, 1, 300, UInt32.max] {
            for endsAtSleep in [false, true] {
                let limits = UnlockLimits(timeout: timeout, endsAtSleep: endsAtSleep)
                let kept = SharedUnlock(limits: limits, lastUse: MachineTime(sinceStart: 1_000, asleep: 70))
                let content = Data(kept.head) + keys
                let found = try #require(SharedUnlock.read(Secret(content)))
                #expect(found.unlock.limits == limits)
                #expect(found.keys.entries.map { $0.value.data() }.reduce(Data(), +) == keys)
                for asleep in [UInt64(70), 71, 72] {
                    let later = MachineTime(sinceStart: 1_000, asleep: asleep)
                    #expect(found.unlock.isOver(later) == (endsAtSleep && asleep == 72))
                }
                for seconds in [UInt64(0), 1, 2, 300, 301, 1 << 33] {
                    let later = MachineTime(sinceStart: 1_000 + seconds, asleep: 70)
                    #expect(found.unlock.isOver(later) == (timeout.map { seconds > UInt64($0) } ?? false))
                }
                #expect(found.unlock.isOver(MachineTime(sinceStart: 999, asleep: 0)))
                for wrong in [content.dropLast(), content + [0], content.prefix(kept.head.count), Data()] {
                    #expect(SharedUnlock.read(Secret(Data(wrong))) == nil)
                }
            }
        }
    }
}

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
    @Test func time_isThatOfTheMachine() throws {
        func uptime() throws -> Double {
            let text = try String(contentsOfFile: "/proc/uptime", encoding: .utf8)
            return try #require(text.split(separator: " ").first.flatMap { Double($0) })
        }
        let before = try uptime(), time = MachineTime.now, after = try uptime()
        #expect(Double(time.sinceStart) >= before.rounded(.down) && Double(time.sinceStart) <= after + 1)
        #expect(time.asleep <= time.sinceStart)
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

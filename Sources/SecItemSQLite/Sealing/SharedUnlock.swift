// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemSealing
import SecItemStore

/// When keys that one process has unlocked are of no use to others any more.
package struct UnlockLimits: Sendable, Hashable {
    /// Seconds without any use; nil for no end.
    package var timeout: UInt32?
    /// Whether they end when the machine sleeps.
    package var endsAtSleep: Bool

    package init(timeout: UInt32? = nil, endsAtSleep: Bool = false) {
        self.timeout = timeout
        self.endsAtSleep = endsAtSleep
    }
}

/// The machine's time, which no user can set.
package struct MachineTime: Sendable {
    /// Seconds since the machine started, those asleep among them.
    let sinceStart: UInt64
    /// Seconds asleep since then.
    let asleep: UInt64

    package init(sinceStart: UInt64, asleep: UInt64) {
        self.sinceStart = sinceStart
        self.asleep = asleep
    }

    package static var now: MachineTime {
        let all = SystemClock.sinceStart, awake = SystemClock.awake
        return MachineTime(sinceStart: all / 1_000_000_000, asleep: (all - min(awake, all)) / 1_000_000_000)
    }
}

/// What is kept of an unlocked store for other processes: all of its keys, and until when.
///
/// A version, the limits, the moment of the last use and the time asleep until then, 23 bytes in all, then the keys.
struct SharedUnlock {
    let limits: UnlockLimits
    let lastUse: MachineTime

    private static let version: UInt8 = 1
    private static let headCount = 1 + 1 + 1 + 4 + 8 + 8

    /// The bytes before the keys.
    var head: [UInt8] {
        var bytes = [Self.version, limits.timeout == nil ? 0 : 1, limits.endsAtSleep ? 1 : 0]
        withUnsafeBytes(of: (limits.timeout ?? 0).littleEndian) { bytes += $0 }
        withUnsafeBytes(of: lastUse.sinceStart.littleEndian) { bytes += $0 }
        withUnsafeBytes(of: lastUse.asleep.littleEndian) { bytes += $0 }
        return bytes
    }

    /// What is kept and its keys, or nil when the content is something else.
    static func read(_ content: Secret) -> (unlock: SharedUnlock, keys: KeyTable<Secret>)? {
        content.withUnsafeBytes { bytes in
            guard bytes.count > headCount, bytes.first == version,
                let keys = KeySet.unpacked(KeyName.belowRoot, bytes.dropFirst(headCount))
            else { return nil }
            let timeout = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 3, as: UInt32.self))
            let limits = UnlockLimits(timeout: bytes[1] == 1 ? timeout : nil, endsAtSleep: bytes[2] == 1)
            let lastUse = MachineTime(
                sinceStart: UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 7, as: UInt64.self)),
                asleep: UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 15, as: UInt64.self)))
            return (SharedUnlock(limits: limits, lastUse: lastUse), keys)
        }
    }

    /// Whether it is over by then. A last use in the future is one of another start of the machine.
    func isOver(_ now: MachineTime) -> Bool {
        if now.sinceStart < lastUse.sinceStart { return true }
        // The two clocks are not read at one moment.
        if limits.endsAtSleep && now.asleep > lastUse.asleep + 1 { return true }
        guard let timeout = limits.timeout else { return false }
        // Both are whole seconds: less than the timeout may have gone by where the difference is the same.
        return now.sinceStart - lastUse.sinceStart > UInt64(timeout)
    }
}

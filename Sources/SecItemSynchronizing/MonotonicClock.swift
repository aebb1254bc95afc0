// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The clock that nobody sets.
enum MonotonicClock {
    /// The nanoseconds since the machine started, without those in which it slept.
    static var now: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    /// The moment in so many seconds.
    static func now(plus seconds: Double) -> UInt64 { now + UInt64(seconds * 1e9) }
}

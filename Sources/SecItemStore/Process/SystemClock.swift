// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The clocks that nobody sets, in nanoseconds since the machine started.
package enum SystemClock {
    /// Without the time in which the machine slept.
    package static var awake: UInt64 { read(CLOCK_MONOTONIC) }
    /// With the time in which it slept.
    package static var sinceStart: UInt64 { read(CLOCK_BOOTTIME) }

    /// The moment in so many seconds, on the clock ``awake``.
    package static func awake(plus seconds: Double) -> UInt64 { awake + UInt64(seconds * 1e9) }

    /// A moment of the clock ``awake`` as `pthread_cond_timedwait` takes it, for a condition on the monotonic clock.
    package static func timespec(_ moment: UInt64) -> Foundation.timespec {
        Foundation.timespec(tv_sec: Int(moment / 1_000_000_000), tv_nsec: Int(moment % 1_000_000_000))
    }

    private static func read(_ clock: clockid_t) -> UInt64 {
        var time = Foundation.timespec()
        clock_gettime(clock, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}

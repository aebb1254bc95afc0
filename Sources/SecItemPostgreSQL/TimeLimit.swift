// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import Foundation
    import SecItemStore

    /// The moment by which a call ends, on the monotonic clock, which nobody can set.
    struct TimeLimit: Sendable {
        /// Nanoseconds of the monotonic clock.
        private let end: UInt64

        /// - Parameter seconds: The time from now, at most a day.
        init(in seconds: Double) {
            end = SystemClock.awake + UInt64(max(0, min(seconds, 86_400)) * 1e9)
        }

        /// The same limit, but at most that many seconds from now.
        func atMost(_ seconds: Double) -> TimeLimit {
            let other = TimeLimit(in: seconds)
            return other.end < end ? other : self
        }

        /// The seconds that are left; 0 if the moment has passed.
        var seconds: Double { end > SystemClock.awake ? Double(end - SystemClock.awake) / 1e9 : 0 }

        /// The time that is left as `poll` takes it. It is rounded up, so that a wait does not end just before the
        /// moment.
        var milliseconds: Int32 { Int32((seconds * 1_000).rounded(.up)) }

        /// Whether the moment has passed.
        var isOver: Bool { end <= SystemClock.awake }

        /// The moment as `pthread_cond_timedwait` takes it, for a condition on the monotonic clock.
        var time: timespec { SystemClock.timespec(end) }
    }
#endif

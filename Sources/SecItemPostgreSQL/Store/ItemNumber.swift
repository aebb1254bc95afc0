// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import Foundation
    import SecItemStore

    /// The numbers of new rows, which the client chooses: an add needs no answer from the server first.
    ///
    /// A number is the time in microseconds, followed by ten random bits. So numbers increase with time as far as the
    /// machines' clocks agree, and two machines hardly ever choose the same one. If they do, the primary key of the table
    /// refuses the second, which chooses another.
    enum ItemNumber {
        private static let last = LockedValue<Int64>(0)

        /// A number that is greater than all before it in this process.
        static func next() -> Int64 {
            var time = timespec()
            clock_gettime(CLOCK_REALTIME, &time)
            // The time fits until the year 2255; a clock that is set beyond that does not trap.
            let microseconds = Int64(time.tv_sec) &* 1_000_000 &+ Int64(time.tv_nsec) / 1_000
            let random = RandomBytes.bytes(2).reduce(Int64(0)) { $0 << 8 | Int64($1) } & 0x3ff
            let number = (microseconds & (1 << 53 - 1)) << 10 | random
            return last.withLock { last in
                last = number > last ? number : last &+ 1
                return last
            }
        }
    }
#endif

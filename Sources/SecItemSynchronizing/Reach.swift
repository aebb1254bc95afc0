// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// Whether a shared store can be reached, and when a process tries it again. Moments are nanoseconds of the monotonic clock.
struct Reach: Sendable {
    private static let longestPatience = 60.0

    private let shortestPatience: Double
    /// The seconds between the next failure and the attempt after it.
    private var patience: Double
    /// The moment of the next attempt, if the last one failed; 0 if it did not.
    private var awayUntil: UInt64 = 0
    /// The process in which a thread tries to reach the store.
    private var trying: pid_t = 0

    /// - Parameter patience: The seconds between the first failure and the next attempt. Later pauses are longer.
    init(patience: Double) {
        shortestPatience = patience
        self.patience = patience
    }

    /// Whether the last attempt failed.
    var isAway: Bool { awayUntil > 0 }

    /// Notes that the store answered.
    mutating func succeeded() {
        awayUntil = 0
        patience = shortestPatience
    }

    /// Notes that an attempt failed. The next pause is longer.
    mutating func failed() {
        awayUntil = max(awayUntil, SystemClock.awake(plus: patience))
        patience = min(patience * 2, Self.longestPatience)
    }

    /// Notes that an attempt failed that no caller made.
    ///
    /// - Parameter seconds: The pause before the next attempt, if it is not the usual one.
    mutating func failedApart(pause seconds: Double? = nil) {
        awayUntil = SystemClock.awake(plus: seconds ?? patience)
    }

    /// Decides what a look-up does.
    ///
    /// - Returns: Whether the look-up has to do without the store, and whether it is the one that starts the next attempt.
    mutating func ask() -> (isSilent: Bool, isToTry: Bool) {
        if !isAway { return (false, false) }
        let own = getpid()
        if awayUntil > SystemClock.awake || trying == own { return (true, false) }
        trying = own
        return (true, true)
    }

    /// Notes the end of the attempt that ``ask()`` has decided on.
    mutating func endOfAttempt() { trying = 0 }
}

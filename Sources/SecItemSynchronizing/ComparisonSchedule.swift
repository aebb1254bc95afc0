// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// When a process compares the copy of a shared store, and whether it is doing so. Moments are nanoseconds of the monotonic
/// clock.
struct ComparisonSchedule: Sendable {
    /// The age, in seconds, at which the copy is compared again even if nobody has reported a change.
    static let greatestAge = 300.0

    /// When the copy was last found to be equal or fresh enough; 0 before that, and if it is known to be old.
    private var comparedAt: UInt64 = 0
    /// Whether the copy lacks something, however young it is.
    private var isKnownOld = false
    /// No comparison begins before that moment.
    private(set) var restsUntil: UInt64 = 0
    /// The process with a comparison in progress.
    private var comparing: pid_t = 0
    /// Whether something changed during that comparison.
    private var isStale = false

    /// Whether a call is to look for the age of the copy, and to compare it if it is old.
    var isDue: Bool {
        let isOld = comparedAt == 0 || comparedAt + UInt64(Self.greatestAge * 1e9) < SystemClock.awake
        return isOld && comparing != getpid()
    }

    /// Whether this process knows nothing about the copy yet.
    var isUnknown: Bool { comparedAt == 0 && !isKnownOld }

    /// Whether no comparison may begin yet.
    var isAtRest: Bool { restsUntil > SystemClock.awake }

    /// Notes that the copy is fresh, because another process has compared it.
    mutating func copyIsFresh() { comparedAt = SystemClock.awake }

    /// Notes that the copy lacks something.
    mutating func copyIsOld() {
        comparedAt = 0
        isKnownOld = true
    }

    /// Notes that the copy lacks something, and that the reason of a failure may be gone. The next call compares it.
    mutating func becomesDue() {
        copyIsOld()
        restsUntil = 0
    }

    /// Notes that an item has changed. A comparison in progress may have read it before the change, and may store it after.
    mutating func somethingChanged() { isStale = true }

    /// Decides whether the caller is to compare. If a comparison is in progress, another one follows it.
    mutating func begin() -> Bool {
        let own = getpid()
        if comparing == own {
            isStale = true
            return false
        }
        comparing = own
        return true
    }

    /// Notes that the comparison that ``begin()`` has decided on does not take place.
    mutating func comparisonIsOff() { (comparing, comparedAt) = (0, 0) }

    /// Notes that the copy and the shared store are about to be read.
    mutating func reads() { isStale = false }

    /// Notes the end of a comparison.
    ///
    /// - Parameters:
    ///   - isEqual: Whether the copy is now as the shared store was at the beginning.
    ///   - goesOn: Whether the same caller makes the next comparison, if there is to be one.
    /// - Returns: Whether there is to be another one, because something changed meanwhile.
    mutating func ended(isEqual: Bool, goesOn: Bool) -> Bool {
        comparedAt = isEqual ? SystemClock.awake : 0
        isKnownOld = !isEqual
        let isNext = isEqual && isStale
        if !(isNext && goesOn) { comparing = 0 }
        return isNext
    }

    /// Notes that no comparison begins for so many seconds.
    mutating func rest(_ seconds: Double) { restsUntil = SystemClock.awake(plus: seconds) }
}

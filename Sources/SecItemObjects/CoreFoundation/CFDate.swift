// SPDX-License-Identifier: Apache-2.0

// Core Foundation's functions on time.

import Foundation

/// Gives the present time.
@discardableResult
public func CFAbsoluteTimeGetCurrent() -> CFAbsoluteTime {
    Date().timeIntervalSinceReferenceDate
}

/// Makes a date.
@discardableResult
public func CFDateCreate(_ allocator: CFAllocator!, _ at: CFAbsoluteTime) -> CFDate! {
    NSDate(timeIntervalSinceReferenceDate: at)
}

/// Gives a date as seconds since the start of 2001.
@discardableResult
public func CFDateGetAbsoluteTime(_ theDate: CFDate!) -> CFAbsoluteTime {
    theDate?.timeIntervalSinceReferenceDate ?? 0
}

/// Gives the seconds between two dates.
@discardableResult
public func CFDateGetTimeIntervalSinceDate(_ theDate: CFDate!, _ otherDate: CFDate!) -> CFTimeInterval {
    CFDateGetAbsoluteTime(theDate) - CFDateGetAbsoluteTime(otherDate)
}

/// Compares two dates.
///
/// - Parameters:
///   - theDate: The first.
///   - otherDate: The second.
///   - context: Not used.
@discardableResult
public func CFDateCompare(
    _ theDate: CFDate!, _ otherDate: CFDate!, _ context: UnsafeMutableRawPointer!
) -> CFComparisonResult {
    let (first, second) = (CFDateGetAbsoluteTime(theDate), CFDateGetAbsoluteTime(otherDate))
    return first < second ? .compareLessThan : first > second ? .compareGreaterThan : .compareEqualTo
}

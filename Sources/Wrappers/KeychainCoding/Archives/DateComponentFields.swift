// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The parts of date components, by their names in an archive.
enum DateComponentFields {
    /// What Foundation's newer releases have added, and only Swift's type has on Linux.
    static let dayOfYear: ExactText = "NS.dayOfYear"
    static let isLeapMonth: ExactText = "NS.isLeapMonth"
    static let isRepeatedDay: ExactText = "NS.isRepeatedDay"

    /// The numbers. One that is not set is `NSDateComponentUndefined`.
    static var all: [(name: ExactText, path: ReferenceWritableKeyPath<NSDateComponents, Int>)] {
        [
            ("NS.era", \.era), ("NS.year", \.year), ("NS.quarter", \.quarter), ("NS.month", \.month), ("NS.day", \.day),
            ("NS.hour", \.hour), ("NS.minute", \.minute), ("NS.second", \.second), ("NS.nanosec", \.nanosecond),
            ("NS.weekOfYear", \.weekOfYear), ("NS.weekOfMonth", \.weekOfMonth), ("NS.yearForWOY", \.yearForWeekOfYear),
            ("NS.weekday", \.weekday), ("NS.weekdayOrdinal", \.weekdayOrdinal),
        ]
    }
}

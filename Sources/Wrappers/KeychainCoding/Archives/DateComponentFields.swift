// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The parts of date components, by their names in an archive.
enum DateComponentFields {
    /// Parts that newer releases of Foundation have added. On Linux, only Swift's type has them.
    static let dayOfYear: ExactText = "NS.dayOfYear"
    static let isLeapMonth: ExactText = "NS.isLeapMonth"
    static let isRepeatedDay: ExactText = "NS.isRepeatedDay"

    /// The parts that are numbers. The number of a part that is not set is `NSDateComponentUndefined`.
    static var all: [(name: ExactText, path: ReferenceWritableKeyPath<NSDateComponents, Int>)] {
        [
            ("NS.era", \.era), ("NS.year", \.year), ("NS.quarter", \.quarter), ("NS.month", \.month), ("NS.day", \.day),
            ("NS.hour", \.hour), ("NS.minute", \.minute), ("NS.second", \.second), ("NS.nanosec", \.nanosecond),
            ("NS.weekOfYear", \.weekOfYear), ("NS.weekOfMonth", \.weekOfMonth), ("NS.yearForWOY", \.yearForWeekOfYear),
            ("NS.weekday", \.weekday), ("NS.weekdayOrdinal", \.weekdayOrdinal),
        ]
    }
}

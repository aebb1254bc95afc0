import Foundation

/// The numbers of date components, by their names in an archive. One that is not set is `NSDateComponentUndefined`.
enum DateComponentFields {
    static var all: [(name: String, path: ReferenceWritableKeyPath<NSDateComponents, Int>)] {
        [
            ("NS.era", \.era), ("NS.year", \.year), ("NS.quarter", \.quarter), ("NS.month", \.month), ("NS.day", \.day),
            ("NS.hour", \.hour), ("NS.minute", \.minute), ("NS.second", \.second), ("NS.nanosec", \.nanosecond),
            ("NS.weekOfYear", \.weekOfYear), ("NS.weekOfMonth", \.weekOfMonth), ("NS.yearForWOY", \.yearForWeekOfYear),
            ("NS.weekday", \.weekday), ("NS.weekdayOrdinal", \.weekdayOrdinal),
        ]
    }
}

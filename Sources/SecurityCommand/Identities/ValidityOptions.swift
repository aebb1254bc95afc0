// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import SecItemShim
import SecItemStore

/// The options that say from when to when a new key is meant to be used.
struct ValidityOptions: ParsableArguments {
    @Option(name: .shortJoined("f"), parsing: .unconditional, help: "Make a key valid from the specified date.")
    var start: String?

    @Option(name: .shortJoined("t"), parsing: .unconditional, help: "Make a key valid to the specified date.")
    var end: String?

    @Option(
        name: .shortJoined("d"), parsing: .unconditional,
        help: "Make a key valid for the number of days specified from now.")
    var days: Double?

    /// No key is meant to be used longer: ten thousand years.
    private static let mostDays = 3_652_425.0

    /// The dates, under the keys that an item has for them.
    ///
    /// - Throws: ``CommandFailure`` for what is no date (1, as on a Mac), and for dates that contradict each other.
    func attributes() throws -> [CFString: Any] {
        let start = try start.map { try GivenDate.date($0, orExit: 1) }
        let end = try end.map { try GivenDate.date($0, orExit: 1) }
        if let days {
            guard start == nil, end == nil else { throw CommandFailure.usage("give either -d, or -f and -t") }
            guard (1...Self.mostDays).contains(days) else {
                throw CommandFailure.usage("-d takes a number of days from 1 to \(Int(Self.mostDays))")
            }
            let now = Date()
            return Self.attributes(now, now.addingTimeInterval(days * 86_400))
        }
        if let start, let end, end < start { throw CommandFailure.usage("the key would end before it begins") }
        return Self.attributes(start, end)
    }

    private static func attributes(_ start: Date?, _ end: Date?) -> [CFString: Any] {
        let given: [CFString: Date?] = [
            NSString(string: ItemAttribute.startDate.code): start, NSString(string: ItemAttribute.endDate.code): end,
        ]
        return given.compactMapValues { $0 }
    }
}

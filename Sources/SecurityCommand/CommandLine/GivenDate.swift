// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A date on the command line, in GMT: `2026-04-25-15:59:59`, without the seconds, or without the time.
enum GivenDate {
    /// - Parameter status: The exit status where it is none. On a Mac, each command has its own.
    /// - Throws: ``CommandFailure`` with that exit status.
    static func date(_ text: String, orExit status: Int32) throws -> Date {
        let failure = CommandFailure("a date has the form 2026-04-25-15:59:59", exit: status)
        // The formatter takes other separators for these, and the day for a year: 13/11/10.
        let isPlain = text.utf8.allSatisfy { "0123456789-:".utf8.contains($0) }
        guard isPlain, text.prefix(while: { $0 != "-" }).count == 4 else { throw failure }
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        for format in ["yyyy-MM-dd-HH:mm:ss", "yyyy-MM-dd-HH:mm", "yyyy-MM-dd"] {
            formatter.dateFormat = format
            if let date = formatter.date(from: text) { return date }
        }
        throw failure
    }
}

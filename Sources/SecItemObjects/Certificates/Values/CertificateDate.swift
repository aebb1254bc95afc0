// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A date in a certificate: `YYMMDDhhmm[ss]` or `YYYYMMDDhhmmss`, with `Z` or the offset from UTC.
enum CertificateDate {
    /// Reads a date; nil if it is not valid.
    ///
    /// - Parameter tag: The tag of UTCTime (0x17) or GeneralizedTime (0x18).
    static func date(tag: UInt8, _ content: ArraySlice<UInt8>) -> Date? {
        let text = Array(content)
        let yearSize: Int
        switch (tag, text.count) {
        case (0x17, 11), (0x17, 13), (0x17, 17): yearSize = 2
        case (0x18, 15), (0x18, 19): yearSize = 4
        default: return nil
        }
        let isLocal = text.count >= 17
        let end = text.count - (isLocal ? 5 : 1)
        guard isLocal ? text[end] == 0x2b || text[end] == 0x2d : text[end] == 0x5a else { return nil }
        guard let fields = pairs(text[..<end]), let offset = pairs(text[(end + 1)...]) else { return nil }
        let isEast = text[end] == 0x2b
        let distance = isLocal ? (isEast ? 60 : -60) * (offset[0] * 60 + offset[1]) : 0
        guard let year = yearSize == 4 ? fields[0] * 100 + fields[1] : year(fields[0]) else { return nil }
        return date(year, Array(fields.dropFirst(yearSize / 2)), distance)
    }

    /// A year of two digits; nil for those from 50 to 69, which PKIX does not allow.
    private static func year(_ digits: Int) -> Int? {
        switch digits {
        case ..<50: 2000 + digits
        case ..<70: nil
        default: 1900 + digits
        }
    }

    /// The text as numbers of two digits each; nil for anything else.
    private static func pairs(_ text: ArraySlice<UInt8>) -> [Int]? {
        guard text.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        let digits = text.map { Int($0) - 0x30 }
        return stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] * 10 + digits[$0 + 1] }
    }

    /// - Parameters:
    ///   - fields: Month, day, hours, minutes and optionally seconds.
    ///   - distance: The offset from UTC, in seconds.
    private static func date(_ year: Int, _ fields: [Int], _ distance: Int) -> Date? {
        let (month, day) = (fields[0], fields[1])
        let seconds = fields.count > 4 ? fields[4] : 0
        let isLeapYear = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let days = [31, isLeapYear ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard (1...12).contains(month), (1...days[month - 1]).contains(day) else { return nil }
        // A leap second is allowed.
        guard fields[2] < 24, fields[3] < 60, seconds <= 60 else { return nil }
        var parts = tm()
        parts.tm_year = Int32(year - 1900)
        parts.tm_mon = Int32(month - 1)
        parts.tm_mday = Int32(day)
        parts.tm_hour = Int32(fields[2])
        parts.tm_min = Int32(fields[3])
        parts.tm_sec = Int32(seconds)
        return Date(timeIntervalSince1970: TimeInterval(timegm(&parts) - distance))
    }
}

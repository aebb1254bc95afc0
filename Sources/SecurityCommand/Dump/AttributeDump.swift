// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemShim

/// An item's attributes as macOS's command prints them, line by line: programs parse them.
enum AttributeDump {
    /// - Parameter certificate: The certificate, if the item is one that can be read.
    static func text(of entry: FoundEntry, itemClass: CFString, _ certificate: SecCertificate? = nil) -> String {
        let rows = rows(of: itemClass).map { row in
            let isCertificateAlias = row.attribute == "alis" && itemClass == kSecClassCertificate
            let alias = isCertificateAlias ? certificateAlias(entry, certificate) : nil
            return "    \(row.tag)<\(row.format.rawValue)>=\(alias ?? printed(row, entry))\n"
        }
        return """
            keychain: \(PrintedBytes.text(entry.keychain.name.utf8))
            version: 512
            class: \(printedClass(of: entry, itemClass))
            attributes:

            """ + rows.joined()
    }

    private static func rows(of itemClass: CFString) -> [AttributeRow] {
        switch itemClass {
        case kSecClassInternetPassword: AttributeRow.internetPassword
        case kSecClassCertificate: AttributeRow.certificate
        case kSecClassKey: AttributeRow.key
        default: AttributeRow.genericPassword
        }
    }

    /// Keys and certificates have numbers: those of the tables that they are in on a Mac.
    private static func printedClass(of entry: FoundEntry, _ itemClass: CFString) -> String {
        switch itemClass {
        case kSecClassCertificate: PrintedBytes.text(bytes(0x8000_1000))
        case kSecClassKey: PrintedBytes.text(bytes(keyTable(entry[kSecAttrKeyClass])))
        default: "\"\(itemClass)\""
        }
    }

    private static func keyTable(_ keyClass: Any?) -> UInt32 {
        switch number(keyClass) {
        case 0: 0x0F
        case 2: 0x11
        default: 0x10
        }
    }

    private static func printed(_ row: AttributeRow, _ entry: FoundEntry) -> String {
        guard let attribute = row.attribute, let value = entry[NSString(string: attribute)] else { return "<NULL>" }
        // The class of a key is its table there.
        if row.attribute == "kcls" { return PrintedBytes.text(bytes(keyTable(value))) }
        if let date = value as? Date { return PrintedBytes.text(bytes(of: date, row.format)) }
        if let data = value as? Data { return PrintedBytes.text(data) }
        if row.format != .blob, let number = number(value) { return PrintedBytes.text(bytes(number)) }
        // Parts of a primary key that nobody gave are empty.
        let text = "\(value)"
        return text.isEmpty ? "<NULL>" : PrintedBytes.text(text.utf8)
    }

    /// As on a Mac, a certificate that nobody gave an alias has its email address as one, else its label: scripts look there
    /// for its name.
    private static func certificateAlias(_ entry: FoundEntry, _ certificate: SecCertificate?) -> String? {
        guard entry["alis"] == nil else { return nil }
        let email = certificate?.emailAddresses.first
        guard let name = email ?? entry[kSecAttrLabel] as? String, !name.isEmpty else { return nil }
        var isDomain = false
        let bytes = name.utf8.map { byte in
            defer { isDomain = isDomain || byte == UInt8(ascii: "@") }
            return isDomain && (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
        }
        return PrintedBytes.text(bytes)
    }

    /// A number, or a text that is one: values of key attributes are such texts.
    private static func number(_ value: Any?) -> UInt32? {
        if let number = value as? NSNumber { return UInt32(truncatingIfNeeded: number.int64Value) }
        return (value as? String).flatMap { Int64($0) }.map { UInt32(truncatingIfNeeded: $0) }
    }

    private static func bytes(_ number: UInt32) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }

    /// A date as it is printed. Those of a key are the day alone; one that is always valid has dates that are none.
    private static func bytes(of date: Date, _ format: AttributeRow.Format) -> [UInt8] {
        guard format == .blob else { return stamp(date) }
        let isNone = date.timeIntervalSinceReferenceDate == 0
        return isNone ? [UInt8](repeating: 0, count: 8) : Array(stamp(date).prefix(8))
    }

    /// `20261122093000Z` and a zero byte.
    private static func stamp(_ date: Date) -> [UInt8] {
        // A program may have stored a date that is no number.
        let interval = date.timeIntervalSince1970.isNaN ? 0 : date.timeIntervalSince1970.rounded(.down)
        var seconds = time_t(max(min(interval, 253_402_300_799), -62_135_596_800))
        var parts = tm()
        gmtime_r(&seconds, &parts)
        let fields = [
            (parts.tm_year + 1900, 4), (parts.tm_mon + 1, 2), (parts.tm_mday, 2), (parts.tm_hour, 2),
            (parts.tm_min, 2), (parts.tm_sec, 2),
        ]
        let digits = fields.map { number, width in
            let text = String(number)
            return String(repeating: "0", count: max(width - text.count, 0)) + text
        }
        return Array((digits.joined() + "Z").utf8) + [0]
    }
}

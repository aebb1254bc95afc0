import Foundation

/// The text that version 2 of Lockbox stored for lists and dates.
enum LegacyText {
    private static let delimiter = "-|-"

    /// The elements with `-|-` between them; an element that holds `-|-` itself comes back as two.
    static func text(of elements: [Any]) -> String? {
        elements.isEmpty ? nil : elements.map(text).joined(separator: delimiter)
    }

    static func elements(of text: String) -> [String] {
        text.components(separatedBy: delimiter)
    }

    /// All keys, then all values.
    static func text(of dictionary: [AnyHashable: Any]) -> String? {
        let entries = Array(dictionary)
        return text(of: entries.map(\.key.base) + entries.map(\.value))
    }

    /// - Returns: Nil when the text has an odd number of elements.
    static func dictionary(of text: String) -> [String: String]? {
        let elements = elements(of: text)
        guard elements.count.isMultiple(of: 2) else { return nil }
        let half = elements.count / 2
        let pairs = zip(elements.prefix(half), elements.suffix(half))
        return Dictionary(pairs, uniquingKeysWith: { _, last in last })
    }

    /// The seconds since the first moment of 2001, as a number in text.
    static func text(of date: Date) -> String {
        let seconds = date.timeIntervalSinceReferenceDate
        let text = "\(seconds)"
        // Whole seconds have no fraction in the original.
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    static func date(of text: String) -> Date? {
        Double(text).map(Date.init(timeIntervalSinceReferenceDate:))
    }

    private static func text(_ element: Any) -> String {
        switch element {
        case let text as String: text
        case let number as NSNumber: number.stringValue
        default: String(describing: element)
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainCoding

/// The text in which version 2 of Lockbox stored lists and dates.
enum LegacyText {
    private static let delimiter = "-|-"

    /// The elements with `-|-` between them.
    ///
    /// - Throws: ``CodingFailure`` if the text would be read back as other elements: one of them contains `-|-`, or
    ///   forms it with the next element.
    static func text(of elements: [Any]) throws(CodingFailure) -> String {
        let texts = elements.map(text)
        let text = texts.joined(separator: delimiter)
        guard self.elements(of: text).map({ ExactText($0) }) == texts.map({ ExactText($0) }) else {
            throw CodingFailure(.unsupported)
        }
        return text
    }

    /// - Throws: As ``text(of:)``, and if two members become the same text.
    static func text(ofSet members: Set<AnyHashable>) throws(CodingFailure) -> String {
        let text = try text(of: members.map(\.base))
        guard set(of: text)?.count == members.count else { throw CodingFailure(.unsupported) }
        return text
    }

    static func elements(of text: String) -> [String] {
        // The comparison is of bytes, so that an accent at the beginning of an element does not change the delimiter.
        var elements: [String] = []
        var rest = Substring(text).utf8
        while let end = rest.firstRange(of: delimiter.utf8) {
            elements.append(String(Substring(rest[..<end.lowerBound])))
            rest = rest[end.upperBound...]
        }
        return elements + [String(Substring(rest))]
    }

    /// - Returns: Nil if Swift considers two elements equal although their bytes differ.
    static func set(of text: String) -> Set<AnyHashable>? {
        let elements = Set(elements(of: text).map { ExactText($0) })
        let set = Set(elements.map { AnyHashable($0.string) })
        return set.count == elements.count ? set : nil
    }

    /// All keys, then all values.
    ///
    /// - Throws: As ``text(of:)``, and if two keys become the same text.
    static func text(ofDictionary dictionary: [AnyHashable: Any]) throws(CodingFailure) -> String {
        let entries = Array(dictionary)
        let text = try text(of: entries.map(\.key.base) + entries.map(\.value))
        guard self.dictionary(of: text)?.count == entries.count else { throw CodingFailure(.unsupported) }
        return text
    }

    /// - Returns: Nil if the text has an odd number of elements, or if Swift considers two keys equal although their
    ///   bytes differ.
    static func dictionary(of text: String) -> [String: String]? {
        let elements = elements(of: text)
        guard elements.count.isMultiple(of: 2) else { return nil }
        let half = elements.count / 2
        let pairs = zip(elements.prefix(half).map { ExactText($0) }, elements.suffix(half))
        let entries = Dictionary(pairs, uniquingKeysWith: { _, last in last })
        let texts = Dictionary(entries.map { ($0.key.string, $0.value) }, uniquingKeysWith: { _, last in last })
        return texts.count == entries.count ? texts : nil
    }

    /// The seconds since the start of 2001, as text.
    static func text(of date: Date) -> String {
        let seconds = date.timeIntervalSinceReferenceDate
        let text = "\(seconds)"
        // The original writes whole seconds without a fraction.
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

// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// The text for an attribute's value. The Secret Service only has texts, and compares them exactly.
///
/// Two values have the same text exactly if their match keys are equal, so a search for texts finds what a keychain's
/// query means. Usual values are stored unchanged; a marker precedes other encodings. What the match key does not
/// distinguish (text or bytes, integer or real) is recorded in ``ValueTypes``.
struct ValueText: Sendable {
    private let kind: AttributeKind
    /// Whether the plain form is a decimal number.
    private let isDecimal: Bool
    /// Whether the empty text represents the empty value, for attributes that other programs read.
    private let emptyIsNothing: Bool
    private let spelling: Spelling?

    /// How texts of that attribute of that class are written.
    init(_ attribute: ItemAttribute, of itemClass: ItemClass) {
        let schema = SecretSchema.schema(of: itemClass)
        kind = ItemSchema.schema(of: itemClass)[attribute]?.kind ?? .blob
        spelling = schema.spellings[attribute]
        isDecimal = kind == .number && spelling == nil
        emptyIsNothing = kind == .number && schema.names[attribute] != nil
    }

    private enum Marker: String, CaseIterable {
        case text = "secitem.text:"
        case base64 = "secitem.base64:"
        case number = "secitem.number:"
        case real = "secitem.real:"
        case date = "secitem.date:"
        case removed = "secitem.removed:"
    }

    /// The text of a removed attribute, for a service that cannot remove attributes. No value has this text.
    static let removed = Marker.removed.rawValue

    static let base64Marker = Marker.base64.rawValue

    // MARK: Value to text

    func text(of value: AttributeValue) -> String {
        switch value {
        case .string(let text): return self.text(ofText: text)
        case .data(let bytes):
            return String(validating: bytes, as: UTF8.self).map { self.text(ofText: $0) } ?? base64(bytes)
        case .integer(let number): return text(of: number)
        case .real(let number):
            if let integer = Int64(exactly: number) { return text(of: integer) }
            return Marker.real.rawValue + Self.text(ofReal: number)
        case .date(let date):
            return Marker.date.rawValue + Self.text(ofReal: date.timeIntervalSinceReferenceDate)
        }
    }

    private func text(of number: Int64) -> String {
        if number == 0 && emptyIsNothing { return "" }
        return isDecimal ? String(number) : Marker.number.rawValue + String(number)
    }

    private func text(ofText text: String) -> String {
        if Self.isFragile(text) { return base64(Data(text.utf8)) }
        if let theirs = spelling?[theirs: text] { return theirs }
        let isTaken = Self.startsWithMarker(text) || spelling?[ours: text] != nil
        let meansNothing = text.isEmpty && emptyIsNothing
        return isDecimal || isTaken || meansNothing ? Marker.text.rawValue + text : text
    }

    /// The shortest text that gives the same number back. There are many values that are not a number, and Swift prints
    /// them alike.
    private static func text(ofReal number: Double) -> String {
        number.isNaN ? notANumber + String(number.bitPattern, radix: 16) : String(number)
    }

    private static func real(_ text: String) -> Double? {
        guard text.utf8.starts(with: notANumber.utf8) else { return Double(text) }
        return UInt64(text.dropFirst(notANumber.count), radix: 16).map(Double.init(bitPattern:))
    }

    private static let notANumber = "nan:"

    private func base64(_ bytes: Data) -> String {
        Marker.base64.rawValue + bytes.base64EncodedString()
    }

    /// Whether some service does not return the text unchanged. D-Bus cannot carry NUL, KeePassXC's XML cannot hold most
    /// other control characters and noncharacters, and programs that write with Qt drop a byte order mark at the
    /// beginning.
    static func isFragile(_ text: String) -> Bool {
        var isFirst = true
        return text.unicodeScalars.contains { scalar in
            defer { isFirst = false }
            return isFragile(scalar, isFirst: isFirst)
        }
    }

    static func isFragile(_ scalar: Unicode.Scalar, isFirst: Bool) -> Bool {
        if isFirst && scalar == "\u{FEFF}" { return true }
        let isPlainControl = scalar == "\t" || scalar == "\n"
        return scalar.value < 0x20 && !isPlainControl || scalar.value == 0x7F || scalar.value & 0xFFFE == 0xFFFE
    }

    private static func startsWithMarker(_ text: String) -> Bool {
        Marker.allCases.contains { text.utf8.starts(with: $0.rawValue.utf8) }
    }

    // MARK: Text to value

    /// The value of a text, or nil if no value has that text.
    func value(of text: String, type: ValueTypes.Mark?) -> AttributeValue? {
        for marker in Marker.allCases where text.utf8.starts(with: marker.rawValue.utf8) {
            // By bytes, because an accent after the marker would form one Character with its last sign.
            let content = String(decoding: text.utf8.dropFirst(marker.rawValue.utf8.count), as: UTF8.self)
            return value(of: content, behind: marker, type: type)
        }
        if text.isEmpty && emptyIsNothing { return number(0, type) }
        if isDecimal { return Int64(text).map { number($0, type) } }
        let own = spelling?[ours: text] ?? text
        return bytes(own, type)
    }

    private func value(of content: String, behind marker: Marker, type: ValueTypes.Mark?) -> AttributeValue? {
        switch marker {
        case .text: bytes(content, type)
        case .base64:
            Data(base64Encoded: content).map {
                type == .string ? .string(String(decoding: $0, as: UTF8.self)) : .data($0)
            }
        case .number: Int64(content).map { number($0, type) }
        case .real: Self.real(content).map { .real($0) }
        case .date: Self.real(content).map { .date(Date(timeIntervalSinceReferenceDate: $0)) }
        // Left out before values are read.
        case .removed: nil
        }
    }

    private func bytes(_ text: String, _ type: ValueTypes.Mark?) -> AttributeValue {
        (type ?? usualType) == .data ? .data(Self.data(text)) : .string(text)
    }

    private static func data(_ text: String) -> Data {
        var text = text
        return text.withUTF8 { Data(buffer: $0) }
    }

    private func number(_ number: Int64, _ type: ValueTypes.Mark?) -> AttributeValue {
        type == .real ? .real(Double(number)) : .integer(number)
    }

    // MARK: Type

    /// The note that preserves the type of the value, or nil if the text is enough.
    func mark(of value: AttributeValue) -> ValueTypes.Mark? {
        switch value {
        case .string(let text): Self.isFragile(text) || usualType == .data ? .string : nil
        case .data(let bytes):
            usualType == .data || (String(validating: bytes, as: UTF8.self).map(Self.isFragile) ?? true) ? nil : .data
        case .real(let number): Int64(exactly: number) == nil ? nil : .real
        case .integer, .date: nil
        }
    }

    private var usualType: ValueTypes.Mark {
        switch kind {
        case .data, .uuid, .sha1: .data
        case .string, .blob, .number, .date: .string
        }
    }
}

extension [String: String] {
    /// The attributes of an item without those that were removed from it.
    var withoutRemoved: Self {
        contains { $0.value == ValueText.removed } ? filter { $0.value != ValueText.removed } : self
    }
}

/// Notes about attributes, stored as one text: `acct=data tkid=given`.
struct ValueTypes {
    /// What a note says.
    enum Mark: String {
        /// The value is text.
        case string
        /// The value is bytes.
        case data
        /// The value is a real number.
        case real
        /// The value is an empty one that the creator gave. Without the note, empty means absent.
        case given
        /// There is no value: the item has no secret at all.
        case none
    }

    private var marks: [ItemAttribute: Mark] = [:]

    init() {}

    /// Reads the notes.
    init(_ text: String) {
        for word in text.split(separator: " ") {
            let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2, let attribute = ItemAttribute(code: parts[0]) else { continue }
            marks[attribute] = Mark(rawValue: parts[1])
        }
    }

    subscript(attribute: ItemAttribute) -> Mark? {
        get { marks[attribute] }
        set { marks[attribute] = newValue }
    }

    /// The notes as text, always in the same order.
    var text: String {
        marks.map { "\($0.key.code)=\($0.value.rawValue)" }.sorted().joined(separator: " ")
    }
}

// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Reads an XML property list that somebody may have tampered with.
///
/// It accepts the elements of property lists and no other XML: neither a document's own entities nor namespaces.
struct XMLPropertyListReader {
    /// The key of a dictionary that represents a reference of a keyed archive in XML. The dictionary has no other key.
    static let referenceKey = "CF$UID"

    private var rest: Substring.UTF8View

    private init(_ text: String) {
        rest = Substring(text).utf8
    }

    static func value(in data: Data) throws(CodingFailure) -> PropertyList {
        guard let text = ExactText(utf8: data) else { throw .damaged }
        var reader = XMLPropertyListReader(text.string)
        try reader.skipProlog()
        guard try reader.tag() == Tag(name: "plist", kind: .open) else { throw .damaged }
        let value = try reader.value(try reader.tag(), depth: 0)
        guard try reader.tag() == Tag(name: "plist", kind: .close) else { throw .damaged }
        return value
    }

    private struct Tag: Equatable {
        enum Kind { case open, close, empty }
        let name: ExactText
        let kind: Kind
    }

    // MARK: Values

    private mutating func value(_ tag: Tag, depth: Int) throws(CodingFailure) -> PropertyList {
        guard depth < PropertyList.greatestDepth else { throw .tooDeep }
        switch (tag.name, tag.kind) {
        case ("true", _), ("false", _):
            if tag.kind == .open { guard try content(of: tag.name).isEmpty else { throw .damaged } }
            guard tag.kind != .close else { throw .damaged }
            return .boolean(tag.name == "true")
        case ("array", .open): return try array(depth)
        case ("array", .empty): return .array([])
        case ("dict", .open): return try dictionary(depth)
        case ("dict", .empty): return .dictionary([:])
        case ("string", .empty): return .text("")
        case ("data", .empty): return .data(Data())
        case (_, .open): return try leaf(tag.name, try content(of: tag.name))
        default: throw .damaged
        }
    }

    private func leaf(_ name: ExactText, _ text: String) throws(CodingFailure) -> PropertyList {
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        switch name {
        case "string": return .text(text)
        case "integer": return try integer(trimmed)
        case "real":
            guard let number = Double(trimmed) else { throw .damaged }
            return .real(number)
        case "date":
            guard let date = try? Date(trimmed, strategy: .iso8601) else { throw .damaged }
            return .date(date.timeIntervalSinceReferenceDate)
        case "data":
            guard let data = Data(base64Encoded: trimmed, options: .ignoreUnknownCharacters) else { throw .damaged }
            return .data(data)
        default: throw .damaged
        }
    }

    private func integer(_ text: String) throws(CodingFailure) -> PropertyList {
        if let number = Int64(text) { return .integer(number) }
        if let number = UInt64(text) { return .unsigned(number) }
        let digits = text.lowercased()
        guard digits.hasPrefix("0x"), let number = UInt64(digits.dropFirst(2), radix: 16) else { throw .damaged }
        return number <= UInt64(Int64.max) ? .integer(Int64(number)) : .unsigned(number)
    }

    private mutating func array(_ depth: Int) throws(CodingFailure) -> PropertyList {
        var values: [PropertyList] = []
        while true {
            let tag = try tag()
            if tag == Tag(name: "array", kind: .close) { return .array(values) }
            values.append(try value(tag, depth: depth + 1))
        }
    }

    private mutating func dictionary(_ depth: Int) throws(CodingFailure) -> PropertyList {
        var entries: [ExactText: PropertyList] = [:]
        while true {
            let tag = try tag()
            if tag == Tag(name: "dict", kind: .close) { break }
            guard tag.name == "key", tag.kind != .close else { throw .damaged }
            let key = tag.kind == .empty ? "" : try content(of: "key")
            entries[ExactText(key)] = try value(try self.tag(), depth: depth + 1)
        }
        if entries.count == 1, case .integer(let index)? = entries[ExactText(Self.referenceKey)],
            let index = Int32(exactly: index),
            index >= 0
        {
            return .reference(Int(index))
        }
        return .dictionary(entries)
    }

    // MARK: Markup

    private mutating func skipProlog() throws(CodingFailure) {
        if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
        while true {
            skipSpace()
            if rest.starts(with: "<?".utf8) {
                try skip(past: "?>")
            } else if rest.starts(with: "<!DOCTYPE".utf8) {
                try skip(past: ">")
            } else if try !skipComment() {
                return
            }
        }
    }

    /// The next tag after spaces and comments.
    private mutating func tag() throws(CodingFailure) -> Tag {
        repeat { skipSpace() } while try skipComment()
        guard rest.first == UInt8(ascii: "<") else { throw .damaged }
        rest = rest.dropFirst()
        var name = Substring(try text(upTo: ">")).utf8
        var kind = Tag.Kind.open
        if name.first == UInt8(ascii: "/") {
            kind = .close
            name = name.dropFirst()
        } else if name.last == UInt8(ascii: "/") {
            kind = .empty
            name = name.dropLast()
        }
        let first = name.prefix { !Self.space.contains($0) }
        return Tag(name: ExactText(String(Substring(first))), kind: kind)
    }

    /// The text of an element that contains only text, up to its end.
    private mutating func content(of name: ExactText) throws(CodingFailure) -> String {
        var content = ""
        while true {
            content += try unescaped(try text(before: "<"))
            if rest.starts(with: "<![CDATA[".utf8) {
                rest = rest.dropFirst(9)
                content += try text(upTo: "]]>")
            } else if try !skipComment() {
                guard try tag() == Tag(name: name, kind: .close) else { throw .damaged }
                return content
            }
        }
    }

    private func unescaped(_ text: String) throws(CodingFailure) -> String {
        var rest = Substring(text).utf8
        var result = ""
        while let ampersand = rest.firstIndex(of: UInt8(ascii: "&")) {
            result += Substring(rest[..<ampersand])
            guard let end = rest[ampersand...].firstIndex(of: UInt8(ascii: ";")) else { throw .damaged }
            let entity = rest[rest.index(after: ampersand)..<end]
            result.unicodeScalars.append(try scalar(ExactText(String(Substring(entity)))))
            rest = rest[rest.index(after: end)...]
        }
        return result + Substring(rest)
    }

    private func scalar(_ entity: ExactText) throws(CodingFailure) -> Unicode.Scalar {
        switch entity {
        case "amp": return "&"
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "apos": return "'"
        default:
            let isHexadecimal = entity.string.utf8.starts(with: "#x".utf8)
            guard entity.string.utf8.starts(with: "#".utf8),
                let code = UInt32(
                    Substring(entity.string.utf8.dropFirst(isHexadecimal ? 2 : 1)), radix: isHexadecimal ? 16 : 10),
                let scalar = Unicode.Scalar(code)
            else { throw .damaged }
            return scalar
        }
    }

    // MARK: Bytes

    private static let space: [UInt8] = [0x20, 0x09, 0x0A, 0x0D]

    private mutating func skipSpace() {
        rest = rest.drop { Self.space.contains($0) }
    }

    private mutating func skipComment() throws(CodingFailure) -> Bool {
        guard rest.starts(with: "<!--".utf8) else { return false }
        try skip(past: "-->")
        return true
    }

    private mutating func skip(past end: String) throws(CodingFailure) {
        _ = try text(upTo: end)
    }

    /// The text before a mark. The mark stays in the input.
    private mutating func text(before mark: Character) throws(CodingFailure) -> String {
        guard let code = mark.asciiValue, let end = rest.firstIndex(of: code) else { throw .damaged }
        defer { rest = rest[end...] }
        return String(decoding: rest[..<end], as: UTF8.self)
    }

    /// The text before a mark. The mark is removed from the input.
    private mutating func text(upTo mark: String) throws(CodingFailure) -> String {
        let code = Array(mark.utf8)
        var end = rest.startIndex
        while let found = rest[end...].firstIndex(of: code[0]) {
            if rest[found...].starts(with: code) {
                let text = String(decoding: rest[..<found], as: UTF8.self)
                rest = rest[found...].dropFirst(code.count)
                return text
            }
            end = rest.index(after: found)
        }
        throw .damaged
    }
}

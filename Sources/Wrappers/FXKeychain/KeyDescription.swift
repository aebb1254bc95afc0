// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainCoding

/// The description that identifies a key that is not text. Equal keys have the same description in every process.
///
/// Collections are described as on Apple's platforms, where the entries of a dictionary are in the order of their keys.
/// Foundation on Linux lists them in an order that differs between processes, and describes data in a collection only
/// by its length.
struct KeyDescription {
    /// The greatest depth of nested collections.
    private static let greatestDepth = 100
    /// The greatest number of values in a key, counting a value each time it is used.
    private static let greatestCount = 10_000

    private var count = 0

    /// - Returns: Nil for a key without a description of its contents, such as an object that is described only by its
    ///   address.
    static func of(_ key: Any) -> String? {
        var description = KeyDescription()
        return description.text(of: key, level: 0)
    }

    private mutating func text(of value: Any, level: Int) -> String? {
        count += 1
        guard count <= Self.greatestCount, level < Self.greatestDepth else { return nil }
        switch value {
        case let text as String: return level == 0 ? text : Self.quoted(text)
        case let number as NSNumber: return level == 0 ? number.stringValue : Self.quoted(number.stringValue)
        case let data as NSData: return data.description
        case let dictionary as NSDictionary:
            return dictionary.rawEntries.isEmpty ? "{\n}" : lines(of: dictionary, level)
        case let set as NSSet: return members(of: set.rawElements, "{(", ")}", level, inOrder: false)
        case let set as NSOrderedSet: return members(of: set.rawElements, "{(", ")}", level, inOrder: true)
        case let array as NSArray: return members(of: array.rawElements, "(", ")", level, inOrder: true)
        default: return Self.ownDescription(of: value).map { level == 0 ? $0 : Self.quoted($0) }
        }
    }

    private mutating func lines(of dictionary: NSDictionary, _ level: Int) -> String? {
        var lines: [ExactText: String] = [:]
        for (key, value) in dictionary.rawEntries {
            guard let name = text(of: key, level: level + 1), let text = text(of: value, level: level + 1),
                lines.updateValue("\(name) = \(text);", forKey: ExactText(name)) == nil
            else { return nil }
        }
        let sorted = lines.keys.sorted().compactMap { lines[$0] }
        return Self.block("{", sorted, between: "", "}", level)
    }

    private mutating func members(
        of values: some Sequence<AnyObject>, _ first: String, _ last: String, _ level: Int, inOrder: Bool
    ) -> String? {
        var members: [ExactText] = []
        for value in values {
            guard let text = text(of: value, level: level + 1) else { return nil }
            members.append(ExactText(text))
        }
        if !inOrder { members.sort() }
        return Self.block(first, members.map(\.string), between: ",", last, level)
    }

    private static func block(
        _ first: String, _ lines: [String], between: String, _ last: String, _ level: Int
    ) -> String {
        let indentation = String(repeating: "    ", count: level)
        let text = lines.map { "\(indentation)    \($0)" }.joined(separator: "\(between)\n")
        return "\(level == 0 ? "" : indentation)\(first)\n\(text)\n\(indentation)\(last)"
    }

    /// Text as collections describe it: in quotes, unless it has only letters and digits.
    private static func quoted(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy {
            (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
        }
        if isPlain, !text.isEmpty { return text }
        var quoted = "\""
        for unit in text.utf16 {
            switch unit {
            case 0x22: quoted += "\\\""
            case 0x5C: quoted += "\\\\"
            case 0x0A: quoted += "\\n"
            case 0x20...0x7E: quoted.unicodeScalars.append(UnicodeScalar(UInt8(unit)))
            default:
                let digits = String(unit, radix: 16)
                quoted += "\\U" + String(repeating: "0", count: 4 - digits.count) + digits
            }
        }
        return quoted + "\""
    }

    // MARK: Other values

    private static func ownDescription(of value: Any) -> String? {
        guard type(of: value) is AnyClass else {
            // A Swift value is described as the Foundation object that it becomes.
            return (value as AnyObject as? NSObject)?.description ?? String(describing: value)
        }
        if let object = value as? NSObject {
            // A Swift value in a collection. The object around it does not reveal whether the value is described by its
            // address.
            if String(describing: type(of: object)) == "__SwiftValue" { return nil }
            let text = object.description
            return text.hasSuffix("\(Unmanaged.passUnretained(object).toOpaque())>") ? nil : text
        }
        return (value as? any CustomStringConvertible)?.description
    }
}

// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemShim

/// A value of a random dictionary, before it becomes an object.
indirect enum ModelValue: Sendable {
    case text(String)
    case data([UInt8])
    case truth(Bool)
    case number(Int)
    case fraction(Double)
    case date(TimeInterval)
    case uuid
    case null
    case array
    case nested
    /// A dictionary that contains itself.
    case cyclic
    /// An object that no property list can hold.
    case stranger
    case control(protection: String, isConstrained: Bool)

    /// The value as a client gives it.
    func object(keepingIn cycles: inout [NSMutableDictionary]) -> Any {
        switch self {
        case .text(let text): return text
        case .data(let bytes): return Data(bytes)
        case .truth(let truth): return truth
        case .number(let number): return number
        case .fraction(let number): return number
        case .date(let seconds): return Date(timeIntervalSinceReferenceDate: seconds)
        case .uuid: return NSUUID()
        case .null: return NSNull()
        case .array: return [1, "two", Data([3]), [4]] as [Any]
        case .nested: return [kSecClass as String: ["deep": ["deeper": Data([1])]]] as [String: Any]
        case .cyclic:
            let dictionary = NSMutableDictionary()
            dictionary.setObject(dictionary, forKey: "itself" as NSString)
            cycles.append(dictionary)
            return dictionary
        case .stranger: return NSObject()
        case .control(let protection, let isConstrained):
            let flags: SecAccessControlCreateFlags = isConstrained ? .userPresence : []
            return SecAccessControlCreateWithFlags(nil, protection as NSString, flags, nil) ?? NSObject()
        }
    }

    var text: String? {
        if case .text(let text) = self { text } else { nil }
    }

    var truth: Bool? {
        if case .truth(let truth) = self { truth } else { nil }
    }
}

/// A key of a random dictionary.
enum ModelKey: Hashable, Sendable {
    case text(String)
    case number(Int)
    case date

    var object: any NSCopying {
        switch self {
        case .text(let text): text as NSString
        case .number(let number): number as NSNumber
        case .date: NSDate(timeIntervalSinceReferenceDate: 0)
        }
    }
}

/// A random dictionary.
typealias ModelDictionary = [ModelKey: ModelValue]

extension ModelDictionary {
    subscript(text: String) -> ModelValue? {
        self[.text(text)]
    }

    /// Runs the body with the dictionary as a client makes it.
    func withObject<Result>(_ body: (CFDictionary) throws -> Result) rethrows -> Result {
        var cycles: [NSMutableDictionary] = []
        let dictionary = NSMutableDictionary()
        for (key, value) in self {
            dictionary.setObject(value.object(keepingIn: &cycles), forKey: key.object)
        }
        defer { for cycle in cycles { cycle.removeAllObjects() } }
        return try body(dictionary)
    }

    /// A text for a failure's description.
    var summary: String {
        map { key, value in "\(key): \(String("\(value)".prefix(60)))" }.sorted().joined(separator: ", ")
    }
}

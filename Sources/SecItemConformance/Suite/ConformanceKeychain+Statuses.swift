// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemShim

extension ConformanceKeychain {
    /// One of the four calls.
    enum Call: String, CaseIterable {
        case copyMatching, update, delete, add
    }

    /// The status that a call returns for a dictionary. An update sets a label.
    func status(of call: Call, _ dictionary: CFDictionary?) -> OSStatus {
        switch call {
        case .copyMatching: copyMatching(dictionary)
        case .update: update(dictionary, [kSecAttrLabel: "updated"] as CFDictionary)
        case .delete: delete(dictionary)
        case .add: add(dictionary)
        }
    }

    /// Expects the same status from several calls with the same dictionary.
    func expectEach(
        _ expected: OSStatus, from calls: [Call] = Call.allCases, of dictionary: CFDictionary?, _ what: String = "",
        file: StaticString = #fileID, line: UInt = #line
    ) throws {
        for call in calls {
            try expect(status(of: call, dictionary), expected, "\(call) \(what)", file: file, line: line)
        }
    }

    /// Expects the same status from several calls with a valid dictionary of a generic password and one more entry.
    func expectEach(
        _ expected: OSStatus, from calls: [Call] = Call.allCases, with key: any NSCopying, _ value: Any,
        file: StaticString = #fileID, line: UInt = #line
    ) throws {
        let dictionary = passwordDictionary().with(key, value)
        try expectEach(expected, from: calls, of: dictionary, "with \(key): \(type(of: value))", file: file, line: line)
    }
}

/// A valid dictionary of a generic password, to which cases add entries.
func passwordDictionary() -> CFDictionary {
    [kSecClass: kSecClassGenericPassword, kSecAttrService: "service", kSecAttrAccount: "account"] as CFDictionary
}

extension NSDictionary {
    /// The dictionary with one more entry, or with another value for a key that it has.
    func with(_ key: any NSCopying, _ value: Any) -> CFDictionary {
        let result = mutableCopy() as? NSMutableDictionary ?? NSMutableDictionary()
        result.setObject(value, forKey: key)
        return result
    }
}

/// The data that most cases store.
let secret = Data("correct horse".utf8)
/// Data that differs from ``secret``.
let otherSecret = Data("battery staple".utf8)

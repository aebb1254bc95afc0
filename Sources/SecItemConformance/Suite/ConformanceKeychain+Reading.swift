// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemShim

// Look-ups that most cases use. The cases do not test these functions. The casts are the ones that Apple's clients use.
extension ConformanceKeychain {
    /// The result of a look-up. Fails the case if the look-up fails.
    func find(_ query: CFDictionary, file: StaticString = #fileID, line: UInt = #line) throws -> CFTypeRef? {
        var result: CFTypeRef?
        try expect(copyMatching(query, &result), errSecSuccess, "look-up:", file: file, line: line)
        return result
    }

    /// The dictionary that a look-up of one item gives.
    func dictionary(
        _ query: CFDictionary, file: StaticString = #fileID, line: UInt = #line
    ) throws -> [String: Any] {
        let result = try find(query, file: file, line: line)
        return try expectValue(result as? [String: Any], "a dictionary", file: file, line: line)
    }

    /// The dictionaries that a look-up of several items gives.
    func dictionaries(
        _ query: CFDictionary, file: StaticString = #fileID, line: UInt = #line
    ) throws -> [[String: Any]] {
        let result = try find(query, file: file, line: line)
        return try expectValue(result as? [[String: Any]], "dictionaries", file: file, line: line)
    }

    /// The data that a look-up gives.
    func data(_ query: CFDictionary, file: StaticString = #fileID, line: UInt = #line) throws -> Data {
        let result = try find(query, file: file, line: line)
        return try expectValue(result as? Data, "data", file: file, line: line)
    }

    /// All items of a class that the application sees, synchronized or not, each with its attributes and data.
    func items(
        ofClass itemClass: CFString = kSecClassGenericPassword, file: StaticString = #fileID, line: UInt = #line
    ) throws -> [[String: Any]] {
        var result: CFTypeRef?
        let status = copyMatching(
            [
                kSecClass: itemClass, kSecAttrSynchronizable: kSecAttrSynchronizableAny,
                kSecMatchLimit: kSecMatchLimitAll, kSecReturnAttributes: true, kSecReturnData: true,
            ] as CFDictionary, &result)
        if status == errSecItemNotFound { return [] }
        try expect(status, errSecSuccess, "look-up of all:", file: file, line: line)
        return try expectValue(result as? [[String: Any]], "dictionaries", file: file, line: line)
    }
}

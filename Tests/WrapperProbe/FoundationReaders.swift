// SPDX-License-Identifier: Apache-2.0

import Foundation
import KCMutableDictionary

/// Deprecated methods of Foundation that old code calls.
private protocol OldFiles {
    func write(toFile path: String, atomically useAuxiliaryFile: Bool) -> Bool
}

extension NSDictionary: OldFiles {}
extension NSArray: OldFiles {}

/// Foundation's own functions with a dictionary in the keychain: property lists, files, preferences, JSON and copies.
enum FoundationReaders {
    static func check(_ rounds: Int) throws {
        let dictionary = KCMutableDictionary.dictionary(withName: "foundation")
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("foundation-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var expected: [String: Any] = [:]
        for round in 0..<rounds {
            let key = "key \(round)"
            expected[key] = ["text \(round)", round, ["data": Data([UInt8(truncatingIfNeeded: round)])]] as [Any]
            dictionary.setObject(expected[key] ?? "", forKey: key)
            if round.isMultiple(of: 3) {
                expected["key \(round / 2)"] = nil
                dictionary.removeObject(forKey: "key \(round / 2)")
            }
            try check(dictionary, NSDictionary(dictionary: expected), folder, round)
        }
    }

    private static func check(
        _ dictionary: KCMutableDictionary, _ expected: NSDictionary, _ folder: URL, _ round: Int
    ) throws {
        func expect(_ found: Any?, _ what: String) throws {
            guard let found = found as? NSDictionary, expected.isEqual(found) else {
                throw Broken(description: "\(what) in round \(round)")
            }
        }
        for format in [PropertyListSerialization.PropertyListFormat.binary, .xml] {
            let data = try PropertyListSerialization.data(fromPropertyList: dictionary, format: format, options: 0)
            try expect(try PropertyListSerialization.propertyList(from: data, format: nil), "PropertyListSerialization")
        }
        let file = folder.appendingPathComponent("list")
        let old: [any OldFiles] = [dictionary, NSArray(object: dictionary)]
        for object in old {
            guard object.write(toFile: file.path, atomically: true) else { throw Broken(description: "write(toFile:)") }
            let read = try PropertyListSerialization.propertyList(from: Data(contentsOf: file), format: nil)
            try expect((read as? NSArray)?.firstObject ?? read, "write(toFile:) of a \(type(of: object))")
        }
        UserDefaults.standard.set(dictionary, forKey: "dictionary")
        try expect(UserDefaults.standard.dictionary(forKey: "dictionary"), "UserDefaults")
        try expect(dictionary.copy(), "copy()")
        try expect(
            NSDictionary(objects: dictionary.allValues, forKeys: dictionary.allKeys.compactMap { $0 as? NSString }),
            "allKeys")
        guard dictionary.isEqual(expected), dictionary.value(forKey: "@count") as? Int == expected.count,
            dictionary.value(forKey: "@unknown") == nil
        else { throw Broken(description: "reading in round \(round)") }
        _ = JSONSerialization.isValidJSONObject(dictionary)
        let texts = KCMutableDictionary.dictionary(withName: "texts")
        texts["round"] = "\(round)"
        let json = try JSONSerialization.data(withJSONObject: texts)
        guard String(decoding: json, as: UTF8.self) == #"{"round":"\#(round)"}"# else {
            throw Broken(description: "JSON")
        }
    }
}

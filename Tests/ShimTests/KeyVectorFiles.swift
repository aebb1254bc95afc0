// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

/// The files in `Tests/Vectors`.
enum KeyVectorFiles {
    static func data(_ name: String) throws -> Data {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        return try Data(contentsOf: tests.appendingPathComponent("Vectors").appendingPathComponent(name))
    }
}

extension SecKey {
    /// A key from its bytes.
    static func make(_ type: CFString, _ keyClass: CFString, _ bytes: Data) -> SecKey? {
        let attributes = [kSecAttrKeyType: type, kSecAttrKeyClass: keyClass] as CFDictionary
        return SecKeyCreateWithData(bytes as CFData, attributes, nil)
    }

    static func new(_ type: CFString, _ size: Int) throws -> SecKey {
        let parameters = [kSecAttrKeyType: type, kSecAttrKeySizeInBits: size] as CFDictionary
        return try #require(SecKeyCreateRandomKey(parameters, nil))
    }
}

extension Data {
    init?(hex: String) {
        guard hex.count.isMultiple(of: 2) else { return nil }
        let digits = Array(hex.utf8)
        var bytes = [UInt8]()
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let byte = UInt8(String(decoding: digits[index...index + 1], as: UTF8.self), radix: 16) else {
                return nil
            }
            bytes.append(byte)
        }
        self.init(bytes)
    }
}

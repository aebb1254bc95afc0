// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainCoding
import Security

extension Lockbox {
    /// Stores text, or removes the key. All setters of version 2 end here.
    func write(_ text: String?, _ key: String?, _ accessibility: CFTypeRef?) -> Bool {
        guard let key, let accessibility else { return record(errSecParam) == errSecSuccess }
        guard let text else { return record(item(key).remove()) == errSecSuccess }
        return record(item(key).store(Data(text.utf8), accessibility)) == errSecSuccess
    }

    /// Stores a collection as text, or removes the key if the collection is empty.
    func write(
        _ key: String?, _ accessibility: CFTypeRef?, _ isEmpty: Bool, _ text: () throws(CodingFailure) -> String
    ) -> Bool {
        if isEmpty { return write(nil, key, accessibility) }
        do throws(CodingFailure) {
            return write(try text(), key, accessibility)
        } catch {
            return record(errSecParam) == errSecSuccess
        }
    }

    /// The text under a key.
    func text(_ key: String?) -> String? {
        guard let data = read(key) else { return nil }
        let text = ExactText(utf8: data)?.string
        if text == nil { record(errSecDecode) }
        return text
    }

    func read(_ key: String?) -> Data? {
        guard let key else {
            record(errSecParam)
            return nil
        }
        let (status, data) = item(key).read()
        record(status)
        return data
    }

    func item(_ key: String) -> LockboxItem {
        LockboxItem(service: "\(keyPrefix).\(key)")
    }

    /// The decoded text under a key.
    func decoded<Value>(_ key: String?, _ decode: (String) -> Value?) -> Value? {
        guard let text = text(key) else { return nil }
        let value = decode(text)
        if value == nil { record(errSecDecode) }
        return value
    }
}

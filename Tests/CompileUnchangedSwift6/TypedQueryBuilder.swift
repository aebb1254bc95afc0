// SPDX-License-Identifier: Apache-2.0

// A struct of options that makes `[String: Any]` queries, and a closure that returns the result through a pointer.

import Foundation
import Security

private struct Options {
    var service = ""
    var accessGroup: String?
    var label: String?
    var synchronizable = false

    func query() -> [String: Any] {
        var query = [String: Any]()
        query[kSecClass as String] = String(kSecClassGenericPassword)
        query[kSecAttrSynchronizable as String] = kSecAttrSynchronizableAny
        query[String(kSecAttrService)] = service
        if let accessGroup { query[String(kSecAttrAccessGroup)] = accessGroup }
        return query
    }

    func attributes(key: String?, value: Data) -> [String: Any] {
        var attributes = key.map { _ in query() } ?? [:]
        if let key { attributes[String(kSecAttrAccount)] = key }
        attributes[String(kSecValueData)] = value
        attributes[String(kSecAttrLabel)] = label
        attributes[String(kSecAttrAccessible)] = kSecAttrAccessibleAfterFirstUnlock as String
        attributes[String(kSecAttrSynchronizable)] = synchronizable ? kCFBooleanTrue : kCFBooleanFalse
        return attributes
    }
}

private final class Vault {
    private let options: Options

    init(_ options: Options) { self.options = options }

    subscript(key: String) -> String? {
        get { data(key).flatMap { String(data: $0, encoding: .utf8) } }
        set { set(newValue.map { Data($0.utf8) }, key) }
    }

    private func data(_ key: String) -> Data? {
        var query = options.query()
        query[kSecMatchLimit as String] = kSecMatchLimitOne
        query[kSecReturnData as String] = kCFBooleanTrue
        query[kSecAttrAccount as String] = key
        var result: AnyObject?
        let status = withUnsafeMutablePointer(to: &result) {
            SecItemCopyMatching(query as CFDictionary, UnsafeMutablePointer($0))
        }
        switch status {
        case errSecSuccess: return result as? Data
        case errSecItemNotFound: return nil
        default: return nil
        }
    }

    private func set(_ value: Data?, _ key: String) {
        var query = options.query()
        query[kSecAttrAccount as String] = key
        guard let value else {
            SecItemDelete(query as CFDictionary)
            return
        }
        switch SecItemCopyMatching(query as CFDictionary, nil) {
        case errSecSuccess, errSecInteractionNotAllowed:
            SecItemUpdate(query as CFDictionary, options.attributes(key: nil, value: value) as CFDictionary)
        default:
            SecItemAdd(options.attributes(key: key, value: value) as CFDictionary, nil)
        }
    }
}

@Sendable func checkTypedQueryBuilder() throws {
    for synchronizable in [false, true] {
        let vault = Vault(Options(service: "vault", label: "Vault", synchronizable: synchronizable))
        try expectEqual(vault["key"], nil)
        vault["key"] = "first"
        vault["key"] = "second"
        try expectEqual(vault["key"], "second")
        vault["key"] = nil
        try expectEqual(vault["key"], nil)
    }
}

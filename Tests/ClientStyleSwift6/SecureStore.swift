// SPDX-License-Identifier: Apache-2.0

// A client in a current style: an actor, Codable values, typed errors and every way to cast a result.
// swift-format-ignore-file: NeverForceUnwrap

import Foundation
import Security

struct StoreFailure: LocalizedError {
    let status: OSStatus

    var errorDescription: String? {
        SecCopyErrorMessageString(status, nil) as String?
    }

    var asNSError: NSError {
        NSError(domain: NSOSStatusErrorDomain, code: Int(status), userInfo: nil)
    }
}

actor SecureStore {
    static let limit = kSecMatchLimitOne as String
    static var accessible: CFString { kSecAttrAccessibleAfterFirstUnlock }
    private static let dataKey = kSecValueData as String

    private let service: String

    init(service: String) {
        self.service = service
    }

    func set<Value: Encodable>(_ value: Value, for account: String) throws {
        let data = try JSONEncoder().encode(value)
        let query: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword,
            kSecAttrService: service,
            kSecAttrAccount: account,
        ]
        let status = SecItemUpdate(query as CFDictionary, [kSecValueData: data] as CFDictionary)
        switch status {
        case errSecSuccess:
            return
        case errSecItemNotFound:
            var item = query
            item[kSecValueData] = data
            item[kSecAttrAccessible] = Self.accessible
            try check(SecItemAdd(item as CFDictionary, nil))
        default:
            throw StoreFailure(status: status)
        }
    }

    func get<Value: Decodable>(_ type: Value.Type, for account: String) throws -> Value? {
        let query =
            [
                kSecClass: kSecClassGenericPassword,
                kSecAttrService: service,
                kSecAttrAccount: account,
                kSecReturnData: true,
                kSecMatchLimit: Self.limit,
            ] as [CFString: Any] as CFDictionary
        var result: CFTypeRef?
        let status = SecItemCopyMatching(query, &result)
        if status == errSecItemNotFound { return nil }
        try check(status)
        guard let data = result as? Data else { throw StoreFailure(status: errSecDecode) }
        return try JSONDecoder().decode(type, from: data)
    }

    func all() throws -> [String: Data] {
        let query: NSDictionary = [
            kSecClass: kSecClassGenericPassword,
            kSecAttrService: service,
            kSecReturnAttributes: true,
            kSecReturnData: true,
            kSecMatchLimit: kSecMatchLimitAll,
        ]
        var items: AnyObject?
        let status = SecItemCopyMatching(query, &items)
        guard status != errSecItemNotFound else { return [:] }
        try check(status)
        let pairs = (items as? [[String: Any]] ?? []).compactMap { item -> (String, Data)? in
            guard let account = item[kSecAttrAccount as String] as? String,
                let data = item[Self.dataKey] as? Data
            else { return nil }
            return (account, data)
        }
        return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
    }

    func removeAll() throws {
        let status = SecItemDelete([kSecClass: kSecClassGenericPassword, kSecAttrService: service] as CFDictionary)
        if status != errSecItemNotFound { try check(status) }
    }

    private func check(_ status: OSStatus) throws {
        guard status == errSecSuccess else { throw StoreFailure(status: status) }
    }
}

/// Objects by persistent reference, through mutable dictionaries, as in code moved from Objective-C.
enum ReferencedItems {
    static func add(_ data: Data, label: String) -> NSData? {
        let attributes = NSMutableDictionary()
        attributes.setObject(kSecClassGenericPassword, forKey: kSecClass as NSString)
        attributes.setObject(label, forKey: kSecAttrLabel as NSString)
        attributes.setObject(UUID().uuidString, forKey: kSecAttrAccount as NSString)
        attributes[kSecValueData as String] = data
        attributes[kSecReturnPersistentRef as String] = true
        var reference: CFTypeRef?
        guard SecItemAdd(attributes as CFDictionary, &reference) == errSecSuccess else { return nil }
        return reference as? NSData
    }

    static func data(_ reference: NSData) -> Data? {
        var result: CFTypeRef?
        let query = [kSecValuePersistentRef: reference, kSecReturnData: kCFBooleanTrue!] as CFDictionary
        let status = SecItemCopyMatching(query, &result)
        return status == errSecSuccess ? result as? Data : nil
    }

    static func delete(_ reference: NSData) -> Bool {
        SecItemDelete([kSecValuePersistentRef as String: reference] as CFDictionary) == errSecSuccess
    }
}

/// Functions that accompany items: access controls, their errors, random bytes, type identifiers.
enum Protection {
    static func control(_ flags: SecAccessControlCreateFlags) throws -> SecAccessControl {
        var error: Unmanaged<CFError>?
        guard
            let control = SecAccessControlCreateWithFlags(
                kCFAllocatorDefault, kSecAttrAccessibleWhenUnlockedThisDeviceOnly, flags, &error)
        else {
            throw error!.takeRetainedValue() as Error
        }
        return control
    }

    static func randomBytes(_ count: Int) -> Data? {
        var data = Data(count: count)
        let status = data.withUnsafeMutableBytes { SecRandomCopyBytes(kSecRandomDefault, count, $0.baseAddress!) }
        return status == errSecSuccess ? data : nil
    }

    static func isAccessControl(_ object: CFTypeRef) -> Bool {
        CFGetTypeID(object) == SecAccessControlGetTypeID()
    }
}

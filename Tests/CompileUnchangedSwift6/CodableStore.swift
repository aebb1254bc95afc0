// SPDX-License-Identifier: Apache-2.0

// Values of any `Codable` type, thrown errors, and generic reading.

import Foundation
import Security

private enum CodableStoreError: Error, Equatable {
    case notFound
    case status(OSStatus)
}

private struct CodableStore<Key: RawRepresentable> where Key.RawValue == String {
    var service: String = "codable"

    func set<Value: Encodable>(_ value: Value, for key: Key) throws {
        let data = try JSONEncoder().encode([value])
        let status = SecItemUpdate(query(key) as CFDictionary, [kSecValueData: data] as CFDictionary)
        guard status == errSecItemNotFound else { return try check(status) }
        try check(SecItemAdd(query(key).merging([kSecValueData: data]) { _, new in new } as CFDictionary, nil))
    }

    func get<Value: Decodable>(_ type: Value.Type = Value.self, for key: Key) throws -> Value {
        let data: Data = try read(key, returning: kSecReturnData)
        guard let value = try JSONDecoder().decode([Value].self, from: data).first else {
            throw CodableStoreError.notFound
        }
        return value
    }

    private func read<Result>(_ key: Key, returning kind: CFString) throws -> Result {
        var result: CFTypeRef?
        try check(SecItemCopyMatching(query(key).merging([kind: true]) { _, new in new } as CFDictionary, &result))
        guard let value = result as? Result else { throw CodableStoreError.status(errSecDecode) }
        return value
    }

    private func query(_ key: Key) -> [CFString: Any] {
        [kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrAccount: key.rawValue]
    }

    private func check(_ status: OSStatus) throws {
        switch status {
        case errSecSuccess: return
        case errSecItemNotFound: throw CodableStoreError.notFound
        case let other: throw CodableStoreError.status(other)
        }
    }
}

private enum Name: String {
    case session, colours
}

private struct Session: Codable, Equatable {
    var token = UUID()
    var expires: Date?
}

@Sendable func checkCodableStore() throws {
    let store = CodableStore<Name>()
    do {
        let missing: Session = try store.get(for: .session)
        throw Failure(description: "from nowhere: \(missing)")
    } catch CodableStoreError.notFound {
    }
    let session = Session(expires: Date(timeIntervalSince1970: 0))
    try store.set(session, for: .session)
    try store.set(["red", "green"], for: .colours)
    try store.set(["blue"], for: .colours)
    try expectEqual(try store.get(for: .session), session)
    try expectEqual(try store.get([String].self, for: .colours), ["blue"])
}

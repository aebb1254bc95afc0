// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainCoding
import Security
internal import WrapperItems

/// The item that a dictionary lives in: a generic password with a service and no account.
struct DictionaryItem: Sendable {
    let service: String

    init(name: String?) {
        let base = "\(applicationName()).__KCMutableDictionary__"
        service = name.map { "\(base).\($0)" } ?? base
    }

    /// What the item held when it was read.
    struct Content {
        let entries: [ExactText: PropertyList]
        /// The digest that the keychain gives with the data: another one once somebody has written the item.
        fileprivate let digest: Data?
    }

    /// The keychain's name of an item's digest, in results and as a condition. Apple's headers have no constant for it.
    private static var digestName: CFString { "sha1" }

    /// What the item holds, nil when there is none.
    func read() throws(KCMutableDictionaryError) -> Content? {
        var query = query
        query[kSecReturnData] = true
        query[kSecReturnAttributes] = true
        query[kSecMatchLimit] = kSecMatchLimitOne
        var result: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &result)
        if status == errSecItemNotFound { return nil }
        guard status == errSecSuccess else { throw .keychain(status) }
        let found = result as? [CFString: Any]
        return Content(
            entries: try Self.entries(of: found?[kSecValueData] as? Data ?? Data()),
            digest: found?[Self.digestName] as? Data)
    }

    /// Writes the item if it is still as it was read, or still not there.
    ///
    /// - Returns: False when somebody else has written, made or deleted it since.
    func write(
        _ entries: [ExactText: PropertyList], replacing content: Content?
    ) throws(KCMutableDictionaryError) -> Bool {
        let data = try Self.data(of: entries)
        let status = content.map { updateStatus(data, of: $0) } ?? addStatus(data)
        if status == (content == nil ? errSecDuplicateItem : errSecItemNotFound) { return false }
        guard status == errSecSuccess else { throw .keychain(status) }
        return true
    }

    private func updateStatus(_ data: Data, of content: Content) -> OSStatus {
        var query = query
        if let digest = content.digest { query[Self.digestName] = digest }
        return SecItemUpdate(query as CFDictionary, [kSecValueData: data] as CFDictionary)
    }

    private func addStatus(_ data: Data) -> OSStatus {
        SecItemAdd(query.merging([kSecValueData: data]) { _, data in data } as CFDictionary, nil)
    }

    private var query: [CFString: Any] {
        [kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrAccount: ""]
    }

    /// - Throws: ``KCMutableDictionaryError`` for entries that could not be read again: too many, nested too
    ///   deeply, or with keys that Foundation cannot keep apart.
    private static func data(of entries: [ExactText: PropertyList]) throws(KCMutableDictionaryError) -> Data {
        let list = PropertyList.dictionary(entries)
        guard let data = try? list.checkedBinary(), (try? list.object()) != nil else { throw .notPropertyList }
        return data
    }

    private static func entries(of data: Data) throws(KCMutableDictionaryError) -> [ExactText: PropertyList] {
        guard case .dictionary(let entries)? = try? PropertyList(data: data) else { throw .damaged }
        return entries
    }
}

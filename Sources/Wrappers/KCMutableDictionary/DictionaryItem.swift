// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainCoding
import Security
internal import WrapperItems

/// The item that holds a dictionary: a generic password with a service and no account.
struct DictionaryItem: Sendable {
    let service: String

    init(name: String?) {
        let base = "\(applicationName()).__KCMutableDictionary__"
        service = name.map { "\(base).\($0)" } ?? base
    }

    struct Content {
        let entries: [ExactText: PropertyList]
        /// The digest that the keychain gives with the data. It differs after the item was written again.
        fileprivate let digest: Data?
    }

    /// The name of an item's digest in the keychain's results and queries. Apple's headers have no constant for it.
    private static var digestName: CFString { "sha1" }

    /// Reads the item; nil if there is none.
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

    /// Writes the item if it has not changed since it was read, or if it still does not exist.
    ///
    /// - Returns: False if somebody has written, added or deleted it since.
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

    /// - Throws: ``KCMutableDictionaryError`` if the entries could not be read again: there are too many, they are
    ///   nested too deeply, or Foundation cannot tell two keys apart.
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

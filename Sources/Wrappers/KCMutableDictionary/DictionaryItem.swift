import Foundation
import KeychainCoding
import Security

/// The item that a dictionary lives in: a generic password with a service and no account.
struct DictionaryItem: Sendable {
    let service: String

    init(name: String?) {
        let base = "\(applicationName()).__KCMutableDictionary__"
        service = name.map { "\(base).\($0)" } ?? base
    }

    /// The entries, nil when there is no item.
    func read() throws(KCMutableDictionaryError) -> [ExactText: PropertyList]? {
        var query = query
        query[kSecReturnData] = true
        query[kSecMatchLimit] = kSecMatchLimitOne
        var result: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &result)
        if status == errSecItemNotFound { return nil }
        guard status == errSecSuccess else { throw .keychain(status) }
        return try Self.entries(of: result as? Data ?? Data())
    }

    /// Writes the item, whether or not it is there, without ever being gone in between.
    func write(_ entries: [ExactText: PropertyList]) throws(KCMutableDictionaryError) {
        let data = try Self.data(of: entries)
        var status = updateStatus(data)
        if status == errSecItemNotFound { status = addStatus(data) }
        // Somebody else made it in between.
        if status == errSecDuplicateItem { status = updateStatus(data) }
        guard status == errSecSuccess else { throw .keychain(status) }
    }

    private func updateStatus(_ data: Data) -> OSStatus {
        SecItemUpdate(query as CFDictionary, [kSecValueData: data] as CFDictionary)
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

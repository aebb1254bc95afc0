// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
internal import WrapperItems

/// One item of a lockbox: a generic password with a service and no account.
struct LockboxItem {
    let service: String

    /// Writes the item, whether or not it exists, without removing it in between.
    func store(_ data: Data, _ accessibility: CFTypeRef) -> OSStatus {
        ReplaceableItem(query).write(data, accessibility: accessibility)
    }

    /// The data of the item; empty if it was stored without data.
    func read() -> (OSStatus, Data?) {
        var query = query
        query[kSecReturnData] = true
        query[kSecMatchLimit] = kSecMatchLimitOne
        var result: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &result)
        return (status, status == errSecSuccess ? result as? Data ?? Data() : nil)
    }

    func remove() -> OSStatus {
        SecItemDelete(query as CFDictionary)
    }

    /// The original's query has only the service, so it also removes items that other libraries store under accounts of
    /// that service.
    private var query: [CFString: Any] {
        [kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrAccount: ""]
    }
}

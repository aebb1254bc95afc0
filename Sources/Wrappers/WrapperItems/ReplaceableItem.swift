// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// An item that is always written whole: updated if it exists, otherwise added.
package struct ReplaceableItem {
    /// The query for the item: its class and attributes, without a value.
    private let query: [CFString: Any]

    /// - Parameter query: The query for the item, whose attributes a new item also gets.
    package init(_ query: [CFString: Any]) {
        self.query = query
    }

    /// How often to retry if others add and remove the item in between. Each retry means that one of them did so.
    private static let attempts = 100

    /// Writes the item without removing it in between.
    ///
    /// An existing item is changed in place, in any access group, and so are further items that the query matches. The
    /// update therefore comes first: an add would create another item beside one in another group.
    ///
    /// - Parameters:
    ///   - data: The data.
    ///   - accessibility: One of the `kSecAttrAccessible…` constants.
    /// - Returns: The status of the keychain; `errSecDuplicateItem` if others kept adding and removing the item.
    package func write(_ data: Data, accessibility: CFTypeRef) -> OSStatus {
        let values: [CFString: Any] = [kSecValueData: data, kSecAttrAccessible: accessibility]
        let item = query.merging(values) { _, value in value }
        for _ in 0..<Self.attempts {
            let changed = SecItemUpdate(query as CFDictionary, values as CFDictionary)
            guard changed == errSecItemNotFound else { return changed }
            let added = SecItemAdd(item as CFDictionary, nil)
            guard added == errSecDuplicateItem else { return added }
        }
        return errSecDuplicateItem
    }
}

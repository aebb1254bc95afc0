// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// An item that is written whole: changed where it is there, else added.
package struct ReplaceableItem {
    /// What finds the item: its class and attributes, and no value.
    private let query: [CFString: Any]

    /// - Parameter query: What finds the item, and what a new one gets.
    package init(_ query: [CFString: Any]) {
        self.query = query
    }

    /// How often to begin anew when others add and remove the item between. Each time one of them has done so.
    private static let attempts = 100

    /// Writes the item, without ever being gone in between.
    ///
    /// An item that is there is changed where it is, in whichever access group that may be, and more of them where the query
    /// means more. So an update comes first: an add would put another one beside an item in another group.
    ///
    /// - Parameters:
    ///   - data: The data.
    ///   - accessibility: One of the `kSecAttrAccessible…` constants.
    /// - Returns: What the keychain answered; `errSecDuplicateItem` when others went on adding and removing the item.
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

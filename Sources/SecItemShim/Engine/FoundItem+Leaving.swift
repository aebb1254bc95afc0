// SPDX-License-Identifier: Apache-2.0

import SecItemStore

extension FoundItem {
    /// Whether the data of the item may be returned. For a key, its attributes decide. The record must have its
    /// attributes.
    var mayLeave: Bool { (privateKey ?? record).mayLeave }
}

extension ItemRecord {
    /// Whether the data may be returned. The record must have its attributes.
    var mayLeave: Bool {
        itemClass != .key || KeyPermissions(attributes, isPrivate: true).allowsLeaving
    }
}

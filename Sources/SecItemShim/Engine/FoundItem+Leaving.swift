// SPDX-License-Identifier: Apache-2.0

import SecItemStore

extension FoundItem {
    /// Whether the data of the item may be given out: that of a key only if its attributes let it. Needs the attributes.
    var mayLeave: Bool { (privateKey ?? record).mayLeave }
}

extension ItemRecord {
    /// Whether the data may be given out. Needs the attributes.
    var mayLeave: Bool {
        itemClass != .key || KeyPermissions(attributes, isPrivate: true).allowsLeaving
    }
}

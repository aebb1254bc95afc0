// SPDX-License-Identifier: Apache-2.0

import SecItemStore

/// One item that a query found. An identity has a key in addition to its certificate.
struct FoundItem {
    var record: ItemRecord
    var privateKey: ItemRecord?
    /// The object for `kSecReturnRef`, if it was requested.
    var live: AnyObject?

    init(_ record: ItemRecord, privateKey: ItemRecord? = nil) {
        self.record = record
        self.privateKey = privateKey
    }

    /// The item's records: one, or the two of an identity.
    var halves: [ItemRecord] { privateKey.map { [record, $0] } ?? [record] }

    /// Whether all of its records meet a condition.
    func allHalves(_ condition: (ItemRecord) -> Bool) -> Bool {
        condition(record) && privateKey.map(condition) ?? true
    }
}

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

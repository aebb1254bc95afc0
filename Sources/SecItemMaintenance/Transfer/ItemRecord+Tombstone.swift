// SPDX-License-Identifier: Apache-2.0

import SecItemStore

extension ItemRecord {
    /// Whether it is what a delete with `kSecUseTombstones` has left of an item, if the record has all of its secrets.
    ///
    /// Such a record stays in its store: it is no item to copy, and must not replace one elsewhere.
    var isTombstone: Bool { (attributes[.tombstone]?.integer ?? 0) != 0 && secrets.isEmpty }
}

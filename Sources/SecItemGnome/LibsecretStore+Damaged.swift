// SPDX-License-Identifier: Apache-2.0

import SecItemStore

extension LibsecretStore {
    /// This library's items with invalid attributes, which look-ups leave out. Locked items are not checked.
    package func damagedItems() throws(StoreError) -> [DamagedItem] {
        try reading(.skipped) { operation in
            var paths: [String] = []
            for itemClass in ItemClass.stored {
                let hits = try operation.session.search(SearchPlan(RecordFilter(itemClass: itemClass)).own)
                paths += try operation.session.readOwn(hits.unlocked).unreadable
            }
            return paths.map { path in
                DamagedItem(place: "at \(path)", reference: nil, damage: "has attributes that cannot be read")
            }
        }
    }

    /// The number of this library's locked items, which look-ups leave out if they skip locked ones.
    package func countLockedItems() throws(StoreError) -> Int {
        try reading(.skipped) { operation in
            var paths: Set<String> = []
            for itemClass in ItemClass.stored {
                paths.formUnion(try operation.session.search(SearchPlan(RecordFilter(itemClass: itemClass)).own).locked)
            }
            return paths.count
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import SecItemStore

extension LibsecretStore {
    /// The items of ours whose attributes make no sense: look-ups leave them out. Those that are locked are not looked at.
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

    /// How many items of ours are locked: look-ups that skip them leave them out.
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

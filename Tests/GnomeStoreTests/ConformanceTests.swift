// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemConformance
import SecItemGnome
import SecItemStore
import Synchronization
import TestSupport
import Testing

extension OnARealService {
    /// The conformance suite on the real service, with the same expectations as for every other store.
    @Suite(.serialized) struct ConformanceTests {
        /// What the Secret Service cannot do (`docs/secret-service.md`), and what the cases need other stores for. Each call
        /// takes milliseconds, so it runs few seeds of the random cases.
        private static let missing: ConformanceCase.Needs = [
            .lock, .passphrase, .manySecrets, .isolation, .faults, .speed,
        ]
        private static let store = PrivateBus.shared.map { NotingStore($0.store()) }

        @Test(arguments: ConformanceSuite.cases.filter { $0.needs.isDisjoint(with: missing) })
        func store_keepsThePromise(_ promise: ConformanceCase) throws {
            let store = try #require(Self.store)
            try store.empty()
            try promise.run(on: ConformanceKeychain(store: store))
        }

        /// Cases that are not run are never counted as passed, and listed here.
        @Test func skippedCases_areListed() {
            let skipped = ConformanceSuite.cases.filter { !$0.needs.isDisjoint(with: Self.missing) }
            print("Secret Service: \(ConformanceSuite.cases.count - skipped.count) cases run, \(skipped.count) skipped")
            for promise in skipped {
                print("  skipped: \(promise), as it needs \(promise.needs.intersection(Self.missing))")
            }
        }
    }
}

/// The store of all cases, which notes what they put into it: most of them, nothing.
private final class NotingStore: ForwardingStore {
    let base: any KeychainStore
    /// The classes of which there may be items. At first nobody knows.
    private let filled = Mutex(Set(ItemClass.stored))

    init(_ base: any KeychainStore) {
        self.base = base
    }

    func insert(_ record: ItemRecord, interaction: Interaction) throws(StoreError) {
        filled.withLock { _ = $0.insert(record.itemClass) }
        try base.insert(record, interaction: interaction)
    }

    func insert(_ records: [ItemRecord], interaction: Interaction) throws(StoreError) {
        filled.withLock { $0.formUnion(records.map(\.itemClass)) }
        try base.insert(records, interaction: interaction)
    }

    /// Deletes everything.
    func empty() throws {
        for itemClass in filled.withLock({ $0 }) {
            _ = try base.delete(matching: RecordFilter(itemClass: itemClass), interaction: .forbidden)
            filled.withLock { _ = $0.remove(itemClass) }
        }
    }
}

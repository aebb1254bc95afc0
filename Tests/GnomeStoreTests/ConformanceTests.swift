// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemConformance
import SecItemGnome
import SecItemStore
import Synchronization
import TestSupport
import Testing

extension OnARealService {
    /// The conformance suite on a real service, with the same expectations as for every other store.
    @Suite(.serialized) struct ConformanceTests {
        /// Features that the Secret Service lacks (`docs/secret-service.md`). Each call takes milliseconds, so only a
        /// few seeds of the random cases run.
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

        /// Cases that are not run are listed here, so that they never count as passed.
        @Test func skippedCases_areListed() {
            let skipped = ConformanceSuite.cases.filter { !$0.needs.isDisjoint(with: Self.missing) }
            print("Secret Service: \(ConformanceSuite.cases.count - skipped.count) cases run, \(skipped.count) skipped")
            for promise in skipped {
                print("  skipped: \(promise), as it needs \(promise.needs.intersection(Self.missing))")
            }
        }
    }
}

/// The store for all cases. It records the classes to which the cases add items, which is often none.
private final class NotingStore: ForwardingStore {
    let base: any KeychainStore
    /// The classes that may have items. At first, these are all classes.
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

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

/// The store for all cases. It records where the cases put items, which is often nowhere. Other suites have items on the
/// same service at the same time.
private final class NotingStore: ForwardingStore {
    /// Where items may be.
    private struct Place: Hashable {
        let itemClass: ItemClass
        let accessGroup: String
    }

    let base: any KeychainStore
    private let filled = Mutex(Set<Place>())

    init(_ base: any KeychainStore) {
        self.base = base
    }

    func insert(_ record: ItemRecord, interaction: Interaction) throws(StoreError) {
        note(record.itemClass, record.attributes)
        try base.insert(record, interaction: interaction)
    }

    func insert(_ records: [ItemRecord], interaction: Interaction) throws(StoreError) {
        for record in records { note(record.itemClass, record.attributes) }
        try base.insert(records, interaction: interaction)
    }

    func update(_ steps: [RecordUpdate], interaction: Interaction) throws(StoreError) -> Int {
        for step in steps { note(step.filter.itemClass, step.changes.attributes) }
        return try base.update(steps, interaction: interaction)
    }

    private func note(_ itemClass: ItemClass, _ attributes: [ItemAttribute: AttributeValue]) {
        guard case .string(let group) = attributes[.accessGroup] else { return }
        filled.withLock { _ = $0.insert(Place(itemClass: itemClass, accessGroup: group)) }
    }

    /// Deletes everything that the cases may have put there.
    func empty() throws {
        for place in filled.withLock({ $0 }) {
            let filter = RecordFilter(itemClass: place.itemClass, accessGroups: [place.accessGroup])
            _ = try base.delete(matching: filter, interaction: .forbidden)
            filled.withLock { _ = $0.remove(place) }
        }
    }
}

import Foundation
import SecItemConformance
import SecItemGnome
import SecItemStore
import TestSupport
import Testing

extension OnARealService {
    /// The conformance suite on the real service, with the same expectations as for every other store.
    @Suite(.serialized) struct ConformanceTests {
        /// What the Secret Service cannot do (`docs/secret-service.md`), and what the cases need other stores for.
        private static let missing: ConformanceCase.Needs = [.lock, .passphrase, .manySecrets, .isolation, .faults]

        @Test(arguments: ConformanceSuite.cases.filter { $0.needs.isDisjoint(with: missing) })
        func store_keepsThePromise(_ promise: ConformanceCase) throws {
            let store = try #require(PrivateBus.shared).store()
            for itemClass in ItemClass.stored {
                _ = try store.delete(matching: RecordFilter(itemClass: itemClass), interaction: .forbidden)
            }
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

import Foundation
import SecItemConformance
import SecItemGnome
import SecItemStore
import Testing

extension OnARealService {
    /// The whole conformance suite on the real service, with the same expectations as for every other store.
    @Suite(.serialized) struct ConformanceTests {
        @Test(arguments: ConformanceSuite.cases.filter { $0.needs.isDisjoint(with: [.lock, .passphrase]) })
        func store_keepsThePromise(_ promise: ConformanceCase) throws {
            let store = try #require(World.shared).store()
            for itemClass in ItemClass.stored {
                _ = try store.delete(matching: RecordFilter(itemClass: itemClass), interaction: .forbidden)
            }
            try promise.run(on: ConformanceKeychain(store: store))
        }
    }
}

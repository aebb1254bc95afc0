// SPDX-License-Identifier: Apache-2.0

import SecItemConformance
import Testing

/// One case on one store.
struct ConformanceRun: Sendable, CustomTestStringConvertible {
    let conformanceCase: ConformanceCase
    let store: StoreUnderTest

    var testDescription: String { "\(conformanceCase) on \(store)" }

    /// The reason why the case does not apply to the store, or nil if it applies.
    var reasonToSkip: String? {
        let missing = conformanceCase.needs.subtracting(store.offers)
        return missing.isEmpty ? nil : "needs \(missing)"
    }

    static let all = StoreUnderTest.all.flatMap { store in
        ConformanceSuite.cases.map { ConformanceRun(conformanceCase: $0, store: store) }
    }

    /// Runs the case on a new store.
    ///
    /// - Throws: The error of the case, or the reason why the store could not be made.
    func callAsFunction() throws {
        try store.withStore { try conformanceCase.run(on: ConformanceKeychain(store: $0)) }
    }
}

@Suite struct ConformanceTests {
    @Test(arguments: ConformanceRun.all.filter { $0.reasonToSkip == nil })
    func store_case_holds(_ run: ConformanceRun) {
        do {
            try run()
        } catch {
            Issue.record("\(run.testDescription): \(error)")
        }
    }

    /// Cases that do not apply to a store are not run, and listed here, so that they never count as passed.
    @Test func skippedCases_areListed() {
        for store in StoreUnderTest.all {
            let skipped = ConformanceRun.all.filter { $0.store.name == store.name && $0.reasonToSkip != nil }
            print("\(store): \(ConformanceSuite.cases.count - skipped.count) cases run, \(skipped.count) skipped")
            for run in skipped {
                print("  skipped: \(run.testDescription), as it \(run.reasonToSkip ?? "")")
            }
        }
    }

    @Test func names_areUnique() {
        let names = ConformanceSuite.cases.map(\.name)
        #expect(Set(names).count == names.count)
    }

    @Test func everyCase_namesItsRules() {
        for conformanceCase in ConformanceSuite.cases {
            #expect(!conformanceCase.rules.isEmpty, "\(conformanceCase)")
        }
    }
}

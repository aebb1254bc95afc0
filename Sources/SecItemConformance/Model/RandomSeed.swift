// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The first seed of random tests: `SECITEM_SEED`, which repeats an earlier run, or else a random number.
package enum RandomSeed {
    package static let wanted = ProcessInfo.processInfo.environment["SECITEM_SEED"].flatMap { UInt64($0) }

    package static let ofThisRun = wanted ?? UInt64.random(in: 1...999_999_999)
}

/// How many rounds random tests make. A usual run makes few, so that it is short; `SECITEM_RANDOM_ROUNDS=100` makes a
/// hundred times as many.
package enum RandomRounds {
    package static let factor = max(
        1, ProcessInfo.processInfo.environment["SECITEM_RANDOM_ROUNDS"].flatMap { Int($0) } ?? 1)

    /// The rounds of a test that makes so many in a usual run.
    package static func usually(_ count: Int) -> Range<Int> { 0..<count * factor }
}

extension SeededGenerator {
    /// The generator of a test that differs in each run. It prints its seed at once, because a bug that the test finds
    /// may end the process.
    package init(for test: String = #function) {
        print("\(test): SECITEM_SEED=\(RandomSeed.ofThisRun)")
        self.init(seed: RandomSeed.ofThisRun)
    }
}

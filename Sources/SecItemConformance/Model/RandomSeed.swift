// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Where random tests begin: `SECITEM_SEED`, so that a run can be had once more, or a number that nobody chose.
package enum RandomSeed {
    /// What the environment says.
    package static let wanted = ProcessInfo.processInfo.environment["SECITEM_SEED"].flatMap { UInt64($0) }

    /// The seed of this run.
    package static let ofThisRun = wanted ?? UInt64.random(in: 1...999_999_999)
}

extension SeededGenerator {
    /// The generator of a test that is another one in each run. It prints its seed at once: what the test finds may end
    /// the process.
    package init(for test: String = #function) {
        print("\(test): SECITEM_SEED=\(RandomSeed.ofThisRun)")
        self.init(seed: RandomSeed.ofThisRun)
    }
}

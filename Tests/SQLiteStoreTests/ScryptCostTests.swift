// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import SecItemSealing

/// What scrypt costs.
@Suite struct ScryptCostTests {
    /// A cost is at least another one if neither its memory nor its work is less.
    @Test func costIsAtLeastAnother_inMemoryAndInWork() throws {
        let standard = try #require(ScryptCost(logarithmOfRounds: 11, blockSize: 8, parallelism: 2))
        for logarithm in UInt8(10)...12 {
            for parallelism in UInt8(1)...4 {
                let cost = try #require(
                    ScryptCost(logarithmOfRounds: logarithm, blockSize: 8, parallelism: parallelism))
                let memory = 1 << Int(logarithm), work = memory * Int(parallelism)
                let isEnough = memory >= 1 << 11 && work >= 2 << 11
                #expect(cost.isAtLeast(standard) == isEnough, "\(logarithm) \(parallelism)")
            }
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import Foundation

/// How many microseconds the work took in each sample.
package struct Samples {
    private var values: [Double] = []

    package init() {}

    package mutating func take(repeating count: Int = 1, _ work: () throws -> Void) rethrows {
        let duration = try ContinuousClock().measure {
            for _ in 0..<count { try work() }
        }
        let (seconds, attoseconds) = duration.components
        values.append((Double(seconds) * 1e6 + Double(attoseconds) / 1e12) / Double(count))
    }

    /// Takes a sample of processor time, on which other programs have less influence.
    package mutating func takeProcessorTime(repeating count: Int, _ work: () throws -> Void) rethrows {
        let start = Self.processorTime
        for _ in 0..<count { try work() }
        values.append((Self.processorTime - start) / Double(count))
    }

    /// The processor time of this process in microseconds.
    private static var processorTime: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
    }

    package var median: Double {
        let sorted = values.sorted()
        return sorted.isEmpty ? .nan : sorted[sorted.count / 2]
    }

    package var least: Double { values.min() ?? .nan }
    package var greatest: Double { values.max() ?? .nan }
}

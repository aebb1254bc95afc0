// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The same work done in two ways, which take turns, so that a disturbance affects both.
struct Comparison {
    /// Microseconds of each round.
    private(set) var first: [Double] = []
    private(set) var second: [Double] = []

    /// - Parameters:
    ///   - rounds: The number of measured rounds.
    ///   - count: How often the work is done in a round.
    ///   - unmeasured: The number of rounds before the measured ones.
    init(
        rounds: Int, repeating count: Int = 1, after unmeasured: Int = 3, _ firstWork: () throws -> Void,
        _ secondWork: () throws -> Void
    ) rethrows {
        for round in 0..<unmeasured + rounds {
            let times = (try Self.time(count, firstWork), try Self.time(count, secondWork))
            guard round >= unmeasured else { continue }
            first.append(times.0)
            second.append(times.1)
        }
    }

    private static func time(_ count: Int, _ work: () throws -> Void) rethrows -> Double {
        let duration = try ContinuousClock().measure { for _ in 0..<count { try work() } }
        let (seconds, attoseconds) = duration.components
        return (Double(seconds) * 1e6 + Double(attoseconds) / 1e12) / Double(count)
    }

    /// A row of a table: both ways, and the second divided by the first.
    func row(_ name: String) -> String {
        let ratios = [Self.median(second) / Self.median(first), (second.min() ?? .nan) / (first.min() ?? .nan)]
        let cells = [name, Self.text(first), Self.text(second)] + ratios.map { String(format: "%.2f", $0) }
        return "| " + cells.joined(separator: " | ") + " |"
    }

    private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

    private static func text(_ values: [Double]) -> String {
        [values.min() ?? .nan, median(values), values.max() ?? .nan].map { String(format: "%.0f", $0) }
            .joined(separator: " / ")
    }
}

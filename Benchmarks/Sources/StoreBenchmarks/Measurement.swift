// SPDX-License-Identifier: Apache-2.0

import Foundation
import Sampling

/// The same work done in several ways. They take turns, so that a disturbance affects all of them.
struct Comparison {
    private(set) var raw = Samples()
    private(set) var layered = Samples()
    private(set) var product = Samples()

    /// - Parameter unmeasured: The number of rounds before the measured ones. A write-ahead log is slower while it
    ///   still grows.
    mutating func run(
        rounds: Int, repeating count: Int = 1, after unmeasured: Int = 0, raw rawWork: () throws -> Void,
        layered layeredWork: () throws -> Void,
        product productWork: () throws -> Void
    ) rethrows {
        for _ in 0..<unmeasured {
            try rawWork()
            try layeredWork()
            try productWork()
        }
        for _ in 0..<rounds {
            try raw.take(repeating: count, rawWork)
            try layered.take(repeating: count, layeredWork)
            try product.take(repeating: count, productWork)
        }
    }

    func row(_ name: String, _ size: Int) -> String {
        let columns = [
            name, "\(size)", Self.text(raw), Self.text(layered), Self.text(product),
            Self.ratio(product.median / raw.median), Self.ratio(product.median / layered.median),
            Self.ratio(product.least / raw.least), Self.ratio(product.least / layered.least),
        ]
        return "| " + columns.joined(separator: " | ") + " |"
    }

    static let header = """
        | operation | items | SQLite | GRDB + AES-GCM | keychain | medians ÷ SQLite | ÷ GRDB | minima ÷ SQLite | ÷ GRDB |
        | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
        """

    private static func text(_ samples: Samples) -> String {
        [samples.least, samples.median, samples.greatest].map(text).joined(separator: " / ")
    }

    static func text(_ microseconds: Double) -> String {
        String(format: microseconds < 100 ? "%.1f" : "%.0f", microseconds)
    }

    static func ratio(_ ratio: Double) -> String {
        String(format: "%.2f", ratio)
    }
}

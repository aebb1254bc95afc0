// SPDX-License-Identifier: Apache-2.0

import Foundation
import Sampling

/// The same work done by the library and by what it is built on, in turns, measured in processor time.
struct Pair {
    private var base = Samples()
    private var product = Samples()

    /// - Parameter count: How often each sample repeats the work.
    init(
        rounds: Int = 41, repeating count: Int, base baseWork: () throws -> Void, product productWork: () throws -> Void
    )
        rethrows
    {
        for _ in 0..<count {
            try baseWork()
            try productWork()
        }
        for _ in 0..<rounds {
            try base.takeProcessorTime(repeating: count, baseWork)
            try product.takeProcessorTime(repeating: count, productWork)
        }
    }

    static let header = """
        | work | beside | beside, µs | here, µs | added, µs | here ÷ beside | `openssl speed`, µs |
        | --- | --- | ---: | ---: | ---: | ---: | ---: |
        """

    /// - Parameter openSSL: The microseconds of the same work by OpenSSL's own program, if it can do it.
    func row(_ name: String, beside other: String, openSSL: Double? = nil) -> String {
        let columns = [
            name, other, Self.text(base), Self.text(product), String(format: "%.1f", product.median - base.median),
            String(format: "%.2f", product.median / base.median), openSSL.map { String(format: "%.1f", $0) } ?? "–",
        ]
        return "| " + columns.joined(separator: " | ") + " |"
    }

    private static func text(_ samples: Samples) -> String {
        String(format: "%.1f – **%.1f** – %.1f", samples.least, samples.median, samples.greatest)
    }
}

// SPDX-License-Identifier: Apache-2.0

import Foundation
import Sampling

/// The same work done by what the library stands on and by the library, in turns, in time of the processor.
struct Pair {
    private var base = Samples()
    private var product = Samples()

    /// - Parameter count: So often is the work done for each sample.
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

    /// - Parameter openSSL: Microseconds of the same work by OpenSSL's own program, where it does that.
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

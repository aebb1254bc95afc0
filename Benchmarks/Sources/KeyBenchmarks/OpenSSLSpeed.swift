// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Measures the same operations with OpenSSL's own program. `openssl speed` counts operations per second of processor
/// time.
///
/// It signs and verifies a digest. It does not hash a message, as the other columns do.
struct OpenSSLSpeed {
    /// The numbers in each line of its machine-readable output, by the operation and the key's size.
    private let rates: [String: [Double]]

    /// Empty if the program is not installed.
    init() {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
        process.arguments = ["speed", "-mr", "-seconds", "1", "ecdsap256", "ecdhp256", "rsa2048"]
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else {
            rates = [:]
            return
        }
        let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        // "+F4:3:256:49813.5:16727.5" means: ECDSA, the third curve, its size, and how many signatures per second were
        // made and verified.
        let lines = output.split(separator: "\n").map { $0.split(separator: ":").map(String.init) }
        rates = Dictionary(
            lines.filter { $0.count == 5 && $0[0].hasPrefix("+F") }.map {
                ("\($0[0])-\($0[2])", $0[3...].compactMap(Double.init))
            },
            uniquingKeysWith: { first, _ in first })
    }

    var signWithP256: Double? { microseconds("+F4-256", 0) }
    var verifyWithP256: Double? { microseconds("+F4-256", 1) }
    var agreeWithP256: Double? { microseconds("+F5-256", 0) }
    var signWithRSA: Double? { microseconds("+F2-2048", 0) }
    var verifyWithRSA: Double? { microseconds("+F2-2048", 1) }

    private func microseconds(_ work: String, _ column: Int) -> Double? {
        guard let rates = rates[work], column < rates.count, rates[column] > 0 else { return nil }
        return 1_000_000 / rates[column]
    }
}

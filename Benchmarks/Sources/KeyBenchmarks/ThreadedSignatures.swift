// SPDX-License-Identifier: Apache-2.0

import Crypto
import CryptoExtras
import Foundation
import Security

/// How many signatures eight threads make in a second with one key, through `SecKey` and through swift-crypto.
struct ThreadedSignatures {
    private let message = Data("a message of an ordinary length, as long as a line or two of text".utf8)
    private let threads = 8

    static let header = """
        | signatures of eight threads | swift-crypto, per second | here, per second | here ÷ swift-crypto |
        | --- | ---: | ---: | ---: |
        """

    func measure() throws -> [String] {
        let curve = P256.Signing.PrivateKey()
        let curveKey = try secKey(kSecAttrKeyTypeECSECPrimeRandom, curve.x963Representation)
        let rsa = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        let rsaKey = try secKey(kSecAttrKeyTypeRSA, rsa.derRepresentation)
        return try [
            row(
                "P-256 with SHA-256", repeating: 1000,
                base: { _ = try curve.signature(for: message).derRepresentation },
                product: { try sign(curveKey, .ecdsaSignatureMessageX962SHA256) }),
            row(
                "RSA 2048 with SHA-256", repeating: 40,
                base: { _ = try rsa.signature(for: SHA256.hash(data: message), padding: .insecurePKCS1v1_5) },
                product: { try sign(rsaKey, .rsaSignatureMessagePKCS1v15SHA256) }),
        ]
    }

    private func secKey(_ type: CFString, _ bytes: Data) throws -> SecKey {
        let attributes = [kSecAttrKeyType: type, kSecAttrKeyClass: kSecAttrKeyClassPrivate] as CFDictionary
        return try require(SecKeyCreateWithData(bytes as CFData, attributes, nil))
    }

    private func sign(_ key: SecKey, _ algorithm: SecKeyAlgorithm) throws {
        _ = try require(SecKeyCreateSignature(key, algorithm, message as CFData, nil))
    }

    /// The two take turns. Each cell has the median of the rounds.
    private func row(
        _ name: String, repeating count: Int, base: @Sendable () throws -> Void, product: @Sendable () throws -> Void
    ) throws -> String {
        var rates: [(base: Double, product: Double)] = []
        for _ in 0..<41 { rates.append((try rate(count, base), try rate(count, product))) }
        let median = { (values: [Double]) in values.sorted()[values.count / 2] }
        let columns = [
            name, String(format: "%.0f", median(rates.map(\.base))),
            String(format: "%.0f", median(rates.map(\.product))),
            String(format: "%.3f", median(rates.map { $0.product / $0.base })),
        ]
        return "| " + columns.joined(separator: " | ") + " |"
    }

    /// The calls per second of all threads together.
    private func rate(_ count: Int, _ work: @Sendable () throws -> Void) throws -> Double {
        try withoutActuallyEscaping(work) { work in
            let duration = ContinuousClock().measure {
                DispatchQueue.concurrentPerform(iterations: threads) { _ in
                    for _ in 0..<count { try? work() }
                }
            }
            // A call that failed would have been fast.
            try work()
            return Double(threads * count) / (duration / .seconds(1))
        }
    }
}

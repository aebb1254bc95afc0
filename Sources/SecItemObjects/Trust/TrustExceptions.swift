// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation

/// Failures that somebody has accepted for certificates, which are identified by their digests.
struct TrustExceptions: Codable, Equatable, Sendable {
    private struct Exception: Codable, Equatable {
        let digest: Data
        let checks: [TrustCheck]
    }

    /// One for each certificate of the chain, leaf first.
    private let exceptions: [Exception]

    /// Accepts all failures of the evaluation. Fatal failures stay failures nevertheless.
    init(_ evaluation: TrustEvaluation) {
        exceptions = zip(evaluation.chain, evaluation.failures).map { Exception(digest: Self.digest($0), checks: $1) }
    }

    /// - Returns: nil if the bytes do not come from `encoded`.
    init?(_ encoded: Data) {
        guard encoded.count <= Self.greatestSize,
            let decoded = try? JSONDecoder().decode(TrustExceptions.self, from: encoded)
        else { return nil }
        self = decoded
    }

    private static let greatestSize = 1 << 20

    var encoded: Data? { try? JSONEncoder().encode(self) }

    func concerns(_ leaf: SecCertificate) -> Bool {
        exceptions.first?.digest == Self.digest(leaf)
    }

    /// - Parameter index: The certificate's place in the chain. An exception for an authority does not apply to a leaf.
    func permits(_ check: TrustCheck, on certificate: SecCertificate, at index: Int) -> Bool {
        guard !check.isFatal, exceptions.indices.contains(index) else { return false }
        return exceptions[index].digest == Self.digest(certificate) && exceptions[index].checks.contains(check)
    }

    private static func digest(_ certificate: SecCertificate) -> Data {
        Data(SHA256.hash(data: certificate.bytes))
    }
}

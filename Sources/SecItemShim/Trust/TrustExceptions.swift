import Crypto
import Foundation

/// What somebody has looked at and accepts: failures of certificates that are known by their digest.
struct TrustExceptions: Codable, Equatable, Sendable {
    private struct Exception: Codable, Equatable {
        let digest: Data
        let checks: [TrustCheck]
    }

    private let exceptions: [Exception]

    /// Everything that the evaluation found. What is fatal stays so, whatever this says.
    init(_ evaluation: TrustEvaluation) {
        exceptions = zip(evaluation.chain, evaluation.failures).enumerated().compactMap { index, pair in
            index == 0 || !pair.1.isEmpty ? Exception(digest: Self.digest(pair.0), checks: pair.1) : nil
        }
    }

    /// - Returns: nil for bytes that `encoded` did not give.
    init?(_ encoded: Data) {
        guard encoded.count <= Self.greatestSize,
            let decoded = try? JSONDecoder().decode(TrustExceptions.self, from: encoded)
        else { return nil }
        self = decoded
    }

    private static let greatestSize = 1 << 20

    var encoded: Data? { try? JSONEncoder().encode(self) }

    func concerns(_ certificate: SecCertificate) -> Bool {
        let digest = Self.digest(certificate)
        return exceptions.contains { $0.digest == digest }
    }

    func permits(_ check: TrustCheck, on certificate: SecCertificate) -> Bool {
        if check.isFatal { return false }
        let digest = Self.digest(certificate)
        return exceptions.contains { $0.digest == digest && $0.checks.contains(check) }
    }

    private static func digest(_ certificate: SecCertificate) -> Data {
        Data(SHA256.hash(data: certificate.bytes))
    }
}

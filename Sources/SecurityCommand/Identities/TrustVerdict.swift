// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemShim

/// Evaluates certificates, and says what is wrong in the words of a Mac.
enum TrustVerdict {
    /// Nil when all is well.
    ///
    /// - Parameters:
    ///   - known: Certificates among which the chain is looked for: any number, of which the trust gets those that the
    ///     chain may have.
    ///   - sent: More of them, which somebody else sent along.
    static func of(
        _ leaf: SecCertificate, among known: Authorities = Authorities([]), sent: Authorities? = nil,
        _ policy: SecPolicy, _ prepare: (SecTrust) throws -> Void = { _ in }
    ) throws -> OSStatus? {
        var trust: SecTrust?
        let certificates = known.chainCandidates(for: leaf, sent: sent)
        let status = SecTrustCreateWithCertificates(certificates as NSArray, policy, &trust)
        guard status == errSecSuccess, let trust else { throw CommandFailure("SecTrustCreateWithCertificates", status) }
        try prepare(trust)
        var error: CFError?
        if SecTrustEvaluateWithError(trust, &error) { return nil }
        return OSStatus(truncatingIfNeeded: error?.code ?? Int(errSecNotTrusted))
    }

    /// What a Mac's command calls a result; Apple's name of the status for others.
    static func name(_ status: OSStatus) -> String {
        switch status {
        case errSecCertificateExpired: "CSSMERR_TP_CERT_EXPIRED"
        case errSecCertificateNotValidYet: "CSSMERR_TP_CERT_NOT_VALID_YET"
        case errSecCertificateRevoked: "CSSMERR_TP_CERT_REVOKED"
        case errSecNotTrusted, errSecCreateChainFailed: "CSSMERR_TP_NOT_TRUSTED"
        case errSecHostNameMismatch: "CSSMERR_APPLETP_HOSTNAME_MISMATCH"
        case errSecInvalidExtendedKeyUsage: "CSSMERR_APPLETP_INVALID_EXTENDED_KEY_USAGE"
        case errSecNoBasicConstraintsCA: "CSSMERR_APPLETP_INVALID_CA"
        default: statusName(status) ?? "\(status)"
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemShim

/// What a certificate is to be good for: a policy as the command line names it.
struct TrustPolicy: Sendable {
    /// Its names on the command line: that of `find-identity`, and that of `verify-cert`.
    let names: [String]
    /// What `find-identity` prints.
    let title: String
    private let identifier: String
    private let isClient: Bool?

    private init(_ names: [String], _ title: String, _ identifier: CFString, isClient: Bool? = nil) {
        (self.names, self.title, self.isClient) = (names, title, isClient)
        self.identifier = "\(identifier)"
    }

    /// The policies that there are here.
    static let all = [
        TrustPolicy(["basic"], "X.509 Basic", kSecPolicyAppleX509Basic),
        TrustPolicy(["ssl-client"], "SSL (client)", kSecPolicyAppleSSL, isClient: true),
        TrustPolicy(["ssl-server", "ssl"], "SSL (server)", kSecPolicyAppleSSL, isClient: false),
        TrustPolicy(["smime"], "S/MIME", kSecPolicyAppleSMIME),
        TrustPolicy(["eap"], "EAP", kSecPolicyAppleEAP, isClient: false),
        TrustPolicy(["ipsec", "IPSec"], "IPsec", kSecPolicyAppleIPsec, isClient: false),
        TrustPolicy(["codesigning", "codeSign"], "Code Signing", kSecPolicyAppleCodeSigning),
        TrustPolicy(["timestamping"], "Time Stamping", kSecPolicyAppleTimeStamping),
    ]

    /// - Throws: ``CommandFailure`` for one that is not there.
    static func named(_ name: String) throws -> TrustPolicy {
        guard let policy = all.first(where: { $0.names.contains(name) }) else {
            throw CommandFailure.usage(
                "-p takes one of \(all.map { $0.names[0] }.joined(separator: ", "))"
            )
        }
        return policy
    }

    /// The policy for a host or an address, where one is named.
    func policy(for name: String? = nil, isClient: Bool? = nil) throws -> SecPolicy {
        var properties: [CFString: Any] = [:]
        if let name, isClient != true { properties[kSecPolicyName] = name }
        if let isClient = isClient ?? self.isClient { properties[kSecPolicyClient] = isClient }
        guard let policy = SecPolicyCreateWithProperties(identifier as CFString, properties as CFDictionary) else {
            throw CommandFailure("SecPolicyCreate", errSecParam)
        }
        return policy
    }
}

/// Evaluates certificates, and says what is wrong in the words of a Mac.
enum TrustVerdict {
    /// Nil when all is well.
    static func of(
        _ certificates: [SecCertificate], _ policy: SecPolicy, _ prepare: (SecTrust) -> Void = { _ in }
    ) throws -> OSStatus? {
        var trust: SecTrust?
        let status = SecTrustCreateWithCertificates(certificates as NSArray, policy, &trust)
        guard status == errSecSuccess, let trust else { throw CommandFailure("SecTrustCreateWithCertificates", status) }
        prepare(trust)
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

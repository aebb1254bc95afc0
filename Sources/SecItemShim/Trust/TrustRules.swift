// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The requirements of a policy on a chain, apart from its anchor.
struct TrustRules: Hashable, Sendable {
    /// The purposes that the certificates must have, if they state any.
    var purposes: CertificatePurposes?
    /// Whether the leaf must state its purposes.
    var requiresPurpose = false
    /// Whether the rules for servers apply: strong keys, a limited validity, and a stated purpose.
    var isServer = false
    /// The leaf must have one of these names; nil for any name.
    var hosts: [String]?
    var email: String?
    /// The flags of `SecPolicyCreateRevocation`.
    var revocation: CFOptionFlags = 0

    static let server: CertificatePurposes = [.server, .gatedServer, .any]
    static let client: CertificatePurposes = [.client, .any]
}

extension VerifiedChain {
    /// Adds failures by Apple's rules that OpenSSL does not check.
    mutating func apply(_ rules: TrustRules) {
        for (index, certificate) in certificates.enumerated() {
            if certificate.hasWeakKey { add(.weakKeySize, at: index) }
            if rules.isServer, certificate.hasShortCurve { add(.keySize, at: index) }
            // Otherwise a pinned certificate of one host could issue certificates for any host.
            if index > 0, !certificate.isAuthority { add(.basicConstraintsCA, at: index) }
        }
        applyPurposes(rules)
        if rules.isServer { applyServerRules() }
        guard let leaf = certificates.first else { return }
        if let hosts = rules.hosts, !hosts.contains(where: leaf.hasHost) { add(.sslHostname, at: 0) }
        if let email = rules.email, !leaf.hasEmail(email) { add(.email, at: 0) }
    }

    /// An authority that states its purposes cannot issue certificates for others. The anchor is not checked.
    private mutating func applyPurposes(_ rules: TrustRules) {
        guard let wanted = rules.purposes else { return }
        for (index, certificate) in certificates.enumerated() where index == 0 || index < certificates.count - 1 {
            let isFit = certificate.purposes.map { !$0.isDisjoint(with: wanted) }
            if !(isFit ?? !(index == 0 && rules.requiresPurpose)) { add(.extendedKeyUsage, at: index) }
        }
    }

    private mutating func applyServerRules() {
        guard let leaf = certificates.first, leaf.isIssued(after: Self.july2019) else { return }
        if leaf.purposes?.contains(.server) != true { add(.serverAuthentication, at: 0) }
        if !(leaf.secondsOfValidity.map { $0 <= Self.longestValidity } ?? false) { add(.validityPeriod, at: 0) }
    }

    private static let july2019: time_t = 1_561_935_600
    /// 825 days, plus an hour of tolerance.
    private static let longestValidity = 825 * 86_400 + 3600
}

extension X509Certificate {
    /// RSA below 1024 bits, curves below 160, and types of keys that Apple does not support.
    fileprivate var hasWeakKey: Bool {
        guard let key else { return true }
        switch key.kind {
        case .rsa: return key.bits < 1024
        case .ellipticCurve: return key.bits < 160
        case .edwards: return false
        case .other: return true
        }
    }

    fileprivate var hasShortCurve: Bool {
        key.map { $0.kind == .ellipticCurve && $0.bits < 256 } ?? false
    }
}

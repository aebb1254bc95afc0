// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The requirements of a policy on a chain, apart from its anchor.
struct TrustRules: Hashable, Sendable {
    /// The purposes that the certificates must have, if they state any.
    var purposes: CertificatePurposes?
    /// Whether the leaf must state its purposes.
    var requiresPurpose = false
    /// Whether the leaf may state no other purpose.
    var isOnlyPurpose = false
    /// The leaf's key must be for one of these uses; nil for any.
    var keyUsages: CertificateKeyUsage?
    /// Whether the leaf must state what its key is for.
    var requiresKeyUsage = false
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
    mutating func apply(_ rules: TrustRules, _ forms: CertificateForms) {
        for (index, certificate) in certificates.enumerated() {
            if certificate.hasWeakKey { add(.weakKeySize, at: index) }
            if rules.isServer, certificate.hasShortCurve { add(.keySize, at: index) }
            // Otherwise a pinned certificate of one host could issue certificates for any host.
            if index > 0, !certificate.isAuthority { add(.basicConstraintsCA, at: index) }
        }
        applyPurposes(rules)
        if rules.isServer { applyServerRules() }
        applyLeafRules(rules, forms)
        if let hosts = rules.hosts { require(hosts.compactMap(SoughtName.init(host:)), else: .sslHostname, forms) }
        if let email = rules.email { require([email].compactMap(SoughtName.init(email:)), else: .email, forms) }
    }

    private mutating func applyLeafRules(_ rules: TrustRules, _ forms: CertificateForms) {
        guard let leaf = certificates.first else { return }
        if rules.isOnlyPurpose, forms.form(of: leaf)?.purposes != 1 { add(.extendedKeyUsage, at: 0) }
        guard let wanted = rules.keyUsages else { return }
        let isFit = leaf.keyUsage.map { !$0.isDisjoint(with: wanted) }
        if !(isFit ?? !rules.requiresKeyUsage) { add(.keyUsage, at: 0) }
    }

    /// The leaf must have one of the names, and no authority may exclude it.
    private mutating func require(_ names: [SoughtName], else missing: TrustCheck, _ forms: CertificateForms) {
        guard let leaf = certificates.first else { return }
        let found = names.filter(leaf.has)
        let constraints = certificates.dropFirst().compactMap { forms.form(of: $0)?.constraints }
        if found.isEmpty {
            add(missing, at: 0)
        } else if !found.contains(where: { name in constraints.allSatisfy { $0.permits(name) } }) {
            add(.nameConstraints, at: 0)
        }
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

// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// Tests whether certificates satisfy a query's rules.
///
/// It reads the other certificates that it needs before the store evaluates the test.
struct CertificateTest: Sendable {
    private let rules: CertificateRules
    /// Names of issuers that lead to a wanted one.
    private let issuers: Set<Data>?
    private let authorities: Authorities
    private let library: LibcryptoX509?

    /// - Parameter known: The application's certificates, among which are the issuers of those to test.
    /// - Throws: `errSecUnimplemented` if a chain is needed and OpenSSL is missing.
    init(_ rules: CertificateRules, among known: [SecCertificate]) throws(KeychainError) {
        self.rules = rules
        library = rules.needsTrust ? LibcryptoX509.shared : nil
        if rules.needsTrust, library == nil { throw .unimplemented("trust needs OpenSSL 3") }
        authorities = Authorities(known)
        issuers = rules.issuers.map(authorities.issuers(leadingTo:))
    }

    /// Whether the bytes are a certificate that satisfies all rules.
    func accepts(_ bytes: Data) -> Bool {
        guard let certificate = try? SecCertificate(bytes) else { return false }
        return acceptsIssuer(certificate) && acceptsDate(certificate) && acceptsEmail(certificate)
            && acceptsSubject(certificate) && acceptsPolicy(certificate) && acceptsTrust(certificate)
    }

    private func acceptsIssuer(_ certificate: SecCertificate) -> Bool {
        guard let issuers else { return true }
        return certificate.parts.issuer.normalized.map(issuers.contains) ?? false
    }

    private func acceptsDate(_ certificate: SecCertificate) -> Bool {
        guard let date = rules.date else { return true }
        return (try? CertificateValidity(ofCertificate: certificate.bytes))?.contains(date) ?? false
    }

    private func acceptsEmail(_ certificate: SecCertificate) -> Bool {
        guard let email = rules.email else { return true }
        return certificate.parts.emailAddresses.contains {
            $0.compare(email, options: .caseInsensitive) == .orderedSame
        }
    }

    /// The text of the subject is its common name, as in the Mac's file keychain.
    private func acceptsSubject(_ certificate: SecCertificate) -> Bool {
        if rules.subject.isEmpty { return true }
        guard let name = certificate.parts.subject.commonName else { return false }
        return rules.subject.allSatisfy { $0.accepts(name, rules.subjectOptions) }
    }

    /// A policy with a purpose tests the certificate itself, and the basic policy its whole chain.
    private func acceptsPolicy(_ certificate: SecCertificate) -> Bool {
        guard let policy = rules.policy else { return true }
        guard let found = evaluation(of: certificate, policy, date: rules.date) else { return false }
        let ofChains = [kSecPolicyAppleX509Basic, kSecPolicyAppleRevocation].map { $0 as String }
        if ofChains.contains(policy.identifier) { return found.isTrusted }
        let ofTheChain: [TrustCheck] = [.anchorTrusted, .missingIntermediate]
        return found.failures.first?.allSatisfy(ofTheChain.contains) ?? false
    }

    private func acceptsTrust(_ certificate: SecCertificate) -> Bool {
        if !rules.isTrusted { return true }
        return evaluation(of: certificate, SecPolicyCreateBasicX509(), date: nil)?.isTrusted ?? false
    }

    private func evaluation(of certificate: SecCertificate, _ policy: SecPolicy, date: Date?) -> TrustEvaluation? {
        var request = TrustRequest(certificates: authorities.chainCandidates(for: certificate), policies: [policy])
        request.date = date
        // Without memory, nothing is known of the certificate, so it does not match.
        return try? request.evaluate(library)
    }
}

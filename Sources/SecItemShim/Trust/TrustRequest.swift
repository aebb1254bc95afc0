// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// Everything that an evaluation depends on.
struct TrustRequest: Sendable {
    /// The leaf, and certificates that may help to build its chain.
    var certificates: [SecCertificate]
    var policies: [SecPolicy]
    /// The caller's own anchors; nil if none were set.
    var anchors: [SecCertificate]?
    var usesSystemAnchors = true
    /// Nil for the time of the evaluation.
    var date: Date?
    var responses: [Data] = []
    var options: SecTrustOptionFlags = []
    var exceptions: TrustExceptions?
}

extension TrustRequest {
    /// Builds and evaluates the chain: the first path that OpenSSL finds, and other paths until one is suitable. Blocks while it verifies signatures; it never uses the network.
    ///
    /// - Throws: `errSecUnimplemented` without OpenSSL, `errSecAllocate` without memory.
    func evaluate(_ library: LibcryptoX509?) throws(KeychainError) -> TrustEvaluation {
        guard let library else { throw .unimplemented("trust needs OpenSSL 3") }
        let date = date ?? Date()
        let parsed = certificates.map { X509Certificate(library, $0.bytes) }
        guard let given = parsed.first, let leaf = given else { return unreadable(date) }
        let own = (anchors ?? []).map { X509Certificate(library, $0.bytes) }
        let store = try store(library, own.compactMap { $0 })
        let others = parsed.dropFirst().compactMap { $0 }
        let known = KnownCertificates(zip(parsed + own, certificates + (anchors ?? [])))
        let verifier = ChainVerifier(library: library, date: date, level: level)
        let chain = try verifier.verified(leaf, with: others, store)
        let first = judgement(of: chain, known, verifier)
        if first.isFinal { return first }
        let paths = CandidatePaths(from: leaf, over: others, to: store.anchors, besides: chain.certificates)
        var best = first
        for path in paths {
            let next = judgement(of: try verifier.verified(path), known, verifier)
            if next.isFinal { return next }
            if next.isNearer(than: best) { best = next }
        }
        return best
    }

    private var level: ChainVerifier.Level { policies.contains { $0.rules.isServer } ? .server : .basic }

    private func store(_ library: LibcryptoX509, _ own: [X509Certificate]) throws(KeychainError) -> X509Store {
        let system = usesSystemAnchors ? SystemAnchors.shared?.store : nil
        if own.isEmpty, let system { return system }
        guard let store = X509Store(library, own + (system?.anchors ?? [])) else { throw ChainVerifier.noMemory }
        return store
    }

    /// Adds the failures by Apple's rules to those that OpenSSL found.
    private func judgement(
        of verified: VerifiedChain, _ known: KnownCertificates, _ verifier: ChainVerifier
    ) -> TrustEvaluation {
        var chain = verified
        chain.applyForm()
        for policy in policies { chain.apply(policy.rules) }
        let isChecked = checkRevocation(of: &chain, verifier.library, verifier.date)
        return evaluation(of: chain, verifier.date, isRevocationChecked: isChecked, known)
    }

    private func checkRevocation(of chain: inout VerifiedChain, _ library: LibcryptoX509, _ date: Date) -> Bool {
        var answer = StapledResponses.Answer.none
        // Done even if the chain fails otherwise, because an exception may accept that failure but never a revoked
        // leaf.
        if chain.certificates.count > 1, !responses.isEmpty {
            let (leaf, issuer) = (chain.certificates[0], chain.certificates[1])
            answer = StapledResponses(library: library, leaf: leaf, issuer: issuer, date: date).answer(responses)
        }
        let isDemanded = policies.contains { $0.rules.revocation & kSecRevocationRequirePositiveResponse != 0 }
        if answer == .revoked { chain.add(.revocation, at: 0) }
        if answer == .none, isDemanded { chain.add(.revocationResponseRequired, at: 0) }
        return answer != .none
    }

    private func unreadable(_ date: Date) -> TrustEvaluation {
        TrustEvaluation(
            date: date, chain: Array(certificates.prefix(1)), failures: [[.certificateProcessing]], isExcepted: false,
            isRevocationChecked: false
        )
    }

    private func evaluation(
        of chain: VerifiedChain, _ date: Date, isRevocationChecked: Bool, _ known: KnownCertificates
    ) -> TrustEvaluation {
        let certificates = chain.certificates.compactMap(known.object)
        // Only OpenSSL may be able to parse an anchor of the machine.
        guard certificates.count == chain.certificates.count else { return unreadable(date) }
        let remaining = zip(certificates, chain.failures).enumerated().map { index, pair in
            pair.1.filter { check in
                !isPermitted(check, at: index, isRoot: index > 0 && index == certificates.count - 1)
                    && exceptions?.permits(check, on: pair.0, at: index) != true
            }
        }
        return TrustEvaluation(
            date: date, chain: certificates, failures: remaining, isExcepted: remaining != chain.failures,
            isRevocationChecked: isRevocationChecked
        )
    }

    /// Whether `SecTrustSetOptions` accepts the failure.
    private func isPermitted(_ check: TrustCheck, at index: Int, isRoot: Bool) -> Bool {
        switch check {
        case .temporalValidity: options.contains(isRoot ? .allowExpiredRoot : .allowExpired)
        case .anchorTrusted: options.contains(.implicitAnchors)
        default: false
        }
    }
}

/// The caller's objects, by OpenSSL's certificates.
private struct KnownCertificates {
    private let objects: [LibcryptoX509.Object: SecCertificate]

    init(_ pairs: some Sequence<(X509Certificate?, SecCertificate)>) {
        objects = Dictionary(
            pairs.compactMap { parsed, object in parsed.map { ($0.pointer, object) } }, uniquingKeysWith: { $1 })
    }

    /// The caller's object, or a new one; nil if only OpenSSL can parse the certificate.
    func object(of certificate: X509Certificate) -> SecCertificate? {
        objects[certificate.pointer] ?? (try? SecCertificate(certificate.bytes))
    }
}

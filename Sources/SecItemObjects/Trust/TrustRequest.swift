// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// Everything that an evaluation depends on.
package struct TrustRequest: Sendable {
    /// The leaf, and certificates that may help to build its chain.
    package var certificates: [SecCertificate]
    package var policies: [SecPolicy]
    /// The caller's own anchors; nil if none were set.
    package var anchors: [SecCertificate]?
    package var usesSystemAnchors = true
    /// Nil for the time of the evaluation.
    package var date: Date?
    package var responses: [Data] = []
    package var options: SecTrustOptionFlags = []
    var exceptions: TrustExceptions?

    package init(certificates: [SecCertificate], policies: [SecPolicy]) {
        self.certificates = certificates
        self.policies = policies
    }
}

extension TrustRequest {
    /// Builds and evaluates the chain: the first path that OpenSSL finds, and other paths until one is suitable. Blocks
    /// while it verifies signatures; it never uses the network.
    ///
    /// - Parameter budget: What the evaluation may cost.
    /// - Throws: `errSecUnimplemented` without OpenSSL, `errSecAllocate` without memory.
    package func evaluate(
        _ library: LibcryptoX509?, within budget: TrustBudget = TrustBudget()
    ) throws(KeychainError) -> TrustEvaluation {
        guard let library else { throw .unimplemented("trust needs OpenSSL 3") }
        let date = date ?? Date()
        guard budget.spend(certificates.reduce(0) { $0 + $1.bytes.count }, .bytes) else { return refused(.cost, date) }
        let verifier = ChainVerifier(library: library, date: date, level: level, budget: budget)
        let refusals = budget.refusals
        let parsed = certificates.map { verifier.certificate($0.bytes) }
        guard let given = parsed.first, let leaf = given else {
            return refused(budget.refusals > refusals ? .cost : .certificateProcessing, date)
        }
        let own = (anchors ?? []).map { X509Certificate(library, $0.bytes) }
        let store = try store(library, own.compactMap { $0 })
        let others = parsed.dropFirst().compactMap { $0 }
        let known = KnownCertificates(zip(parsed + own, certificates + (anchors ?? [])))
        let chain = try verifier.verified(leaf, with: others, store)
        var best = judgement(of: chain, known, verifier)
        if best.isFinal { return best }
        let paths = CandidatePaths(
            from: leaf, over: others, to: store.anchors, besides: chain.certificates, within: budget)
        for path in paths {
            let next = judgement(of: try verifier.verified(path), known, verifier)
            if next.isFinal { return next }
            if next.isNearer(than: best) { best = next }
        }
        return budget.refusals > refusals ? best.withoutRest : best
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
        chain.applyForm(verifier.forms)
        for policy in policies { chain.apply(policy.rules, verifier.forms) }
        let isChecked = checkRevocation(of: &chain, verifier)
        return evaluation(of: chain, verifier.date, isRevocationChecked: isChecked, known)
    }

    private func checkRevocation(of chain: inout VerifiedChain, _ verifier: ChainVerifier) -> Bool {
        var answer = StapledResponses.Answer.none
        // Done even if the chain fails otherwise, because an exception may accept that failure but never a revoked
        // leaf.
        if chain.certificates.count > 1, !responses.isEmpty {
            let (leaf, issuer) = (chain.certificates[0], chain.certificates[1])
            let stapled = StapledResponses(library: verifier.library, leaf: leaf, issuer: issuer, date: verifier.date)
            if stapled.areWithin(verifier.budget, responses) {
                answer = stapled.answer(responses)
            } else {
                chain.add(.cost, at: 0)
            }
        }
        let isDemanded = policies.contains { $0.rules.revocation & kSecRevocationRequirePositiveResponse != 0 }
        if answer == .revoked { chain.add(.revocation, at: 0) }
        if answer == .none, isDemanded { chain.add(.revocationResponseRequired, at: 0) }
        return answer != .none
    }

    /// The result if nothing can be built.
    private func refused(_ check: TrustCheck, _ date: Date) -> TrustEvaluation {
        TrustEvaluation(
            date: date, chain: Array(certificates.prefix(1)), failures: [[check]], isExcepted: false,
            isRevocationChecked: false
        )
    }

    private func evaluation(
        of chain: VerifiedChain, _ date: Date, isRevocationChecked: Bool, _ known: KnownCertificates
    ) -> TrustEvaluation {
        let certificates = chain.certificates.compactMap(known.object)
        // Only OpenSSL may be able to parse an anchor of the machine.
        guard certificates.count == chain.certificates.count else { return refused(.certificateProcessing, date) }
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

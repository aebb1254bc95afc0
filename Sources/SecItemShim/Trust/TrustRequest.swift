// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// All that an evaluation depends on.
struct TrustRequest: Sendable {
    /// The leaf, and whatever may help to build its chain.
    var certificates: [SecCertificate]
    var policies: [SecPolicy]
    /// The caller's own anchors; nil for none named.
    var anchors: [SecCertificate]?
    var usesSystemAnchors = true
    /// Nil for the time of the evaluation.
    var date: Date?
    var responses: [Data] = []
    var options: SecTrustOptionFlags = []
    var exceptions: TrustExceptions?
}

extension TrustRequest {
    /// Builds the chain and judges it. Blocks for the time that some signatures take; nothing is fetched.
    ///
    /// - Throws: `errSecUnimplemented` without OpenSSL, `errSecAllocate` without memory.
    func evaluate(_ library: LibcryptoX509?) throws(KeychainError) -> TrustEvaluation {
        guard let library else { throw .unimplemented("trust needs OpenSSL 3") }
        return try FirstUse.performing("trust \(policies.map(\.identifier))") { () throws(KeychainError) in
            let found = try evaluation(library)
            // What a caller asks for next.
            _ = (found.result, found.error)
            return found
        }
    }

    /// Judges the path that OpenSSL finds first, and others while none is fit.
    private func evaluation(_ library: LibcryptoX509) throws(KeychainError) -> TrustEvaluation {
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
        return try FirstUse.performing("other paths") { () throws(KeychainError) in
            var best = first
            for path in paths {
                let next = judgement(of: try verifier.verified(path), known, verifier)
                if next.isFinal { return next }
                if next.isNearer(than: best) { best = next }
            }
            return best
        }
    }

    private var level: ChainVerifier.Level { policies.contains { $0.rules.isServer } ? .server : .basic }

    private func store(_ library: LibcryptoX509, _ own: [X509Certificate]) throws(KeychainError) -> X509Store {
        let system = usesSystemAnchors ? SystemAnchors.shared?.store : nil
        if own.isEmpty, let system { return system }
        guard let store = X509Store(library, own + (system?.anchors ?? [])) else { throw ChainVerifier.noMemory }
        return store
    }

    /// Adds what Apple's rules find to what OpenSSL has found.
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
        // Also of a chain that fails otherwise: an exception may permit that, and never a leaf that was revoked.
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
        // An anchor of the machine's may be one that only OpenSSL can read.
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

    /// Whether `SecTrustSetOptions` lets that pass.
    private func isPermitted(_ check: TrustCheck, at index: Int, isRoot: Bool) -> Bool {
        switch check {
        case .temporalValidity: options.contains(isRoot ? .allowExpiredRoot : .allowExpired)
        case .anchorTrusted: options.contains(.implicitAnchors)
        default: false
        }
    }
}

/// The objects that a caller gave, by what OpenSSL made of them.
private struct KnownCertificates {
    private let objects: [LibcryptoX509.Object: SecCertificate]

    init(_ pairs: some Sequence<(X509Certificate?, SecCertificate)>) {
        objects = Dictionary(
            pairs.compactMap { parsed, object in parsed.map { ($0.pointer, object) } }, uniquingKeysWith: { $1 })
    }

    /// The caller's object, or a new one; nil for what only OpenSSL can read.
    func object(of certificate: X509Certificate) -> SecCertificate? {
        objects[certificate.pointer] ?? (try? SecCertificate(certificate.bytes))
    }
}

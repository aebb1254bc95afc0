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

/// What an evaluation found.
struct TrustEvaluation: Sendable {
    let date: Date
    /// Leaf first.
    let chain: [SecCertificate]
    /// What is wrong with each certificate of the chain and is not excepted.
    let failures: [[TrustCheck]]
    /// Whether something was wrong that an exception permits.
    let isExcepted: Bool
    /// Whether a stapled response says that the leaf is not revoked.
    let isRevocationChecked: Bool

    var result: SecTrustResultType {
        let all = failures.joined()
        if all.isEmpty { return isExcepted ? .proceed : .unspecified }
        return all.contains(where: \.isFatal) ? .fatalTrustFailure : .recoverableTrustFailure
    }

    var isTrusted: Bool { failures.allSatisfy(\.isEmpty) }

    /// What a caller is told: the first kind of failure, on the certificate nearest to the leaf.
    var error: NSError? {
        let all = failures.enumerated().flatMap { index, checks in checks.map { (index, $0) } }
        guard let (index, check) = all.min(by: { ($0.1.kind, $0.0) < ($1.1.kind, $1.0) }) else { return nil }
        let details = failures.enumerated().filter { !$0.element.isEmpty }.map { index, checks in
            "Certificate \(index) “\(name(index))”: " + checks.map(\.sentence).joined(separator: ", ") + ";"
        }
        let underlying = NSError(
            domain: NSOSStatusErrorDomain, code: Int(check.status),
            userInfo: [NSLocalizedDescriptionKey: details.joined(separator: " ")]
        )
        return NSError(
            domain: NSOSStatusErrorDomain, code: Int(check.status),
            userInfo: [
                NSLocalizedDescriptionKey: check.sentence(on: name(index)), NSUnderlyingErrorKey: underlying,
            ]
        )
    }

    private func name(_ index: Int) -> String { chain[index].parts.summary ?? "" }
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

    private func evaluation(_ library: LibcryptoX509) throws(KeychainError) -> TrustEvaluation {
        let date = date ?? Date()
        let parsed = certificates.map { X509Certificate(library, $0.bytes) }
        guard let first = parsed.first, let leaf = first else { return unreadable(date) }
        let anchors = (anchors ?? []).map { X509Certificate(library, $0.bytes) }
        let store = try store(library, anchors.compactMap { $0 })
        let verifier = ChainVerifier(library: library, store: store, date: date, level: level)
        var chain = try verifier.verified(leaf, with: parsed.dropFirst().compactMap { $0 })
        chain.applyForm()
        for policy in policies { chain.apply(policy.rules) }
        let isChecked = checkRevocation(of: &chain, library, date)
        let known = zip(parsed + anchors, certificates + (self.anchors ?? []))
        return evaluation(of: chain, date, isRevocationChecked: isChecked, known: known.map { ($0, $1) })
    }

    private var level: ChainVerifier.Level { policies.contains { $0.rules.isServer } ? .server : .basic }

    private func store(_ library: LibcryptoX509, _ own: [X509Certificate]) throws(KeychainError) -> X509Store {
        let system = usesSystemAnchors ? SystemAnchors.shared?.store : nil
        if own.isEmpty, let system { return system }
        guard let store = X509Store(library, own + (system?.anchors ?? [])) else {
            throw KeychainError(errSecAllocate, "OpenSSL has no memory for the anchors")
        }
        return store
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
        of chain: VerifiedChain, _ date: Date, isRevocationChecked: Bool, known: [(X509Certificate?, SecCertificate)]
    ) -> TrustEvaluation {
        let objects = Dictionary(
            known.compactMap { parsed, object in parsed.map { ($0.pointer, object) } }, uniquingKeysWith: { $1 })
        var certificates = [SecCertificate]()
        for certificate in chain.certificates {
            guard let object = objects[certificate.pointer] ?? (try? SecCertificate(certificate.bytes)) else {
                // An anchor of the machine's that only OpenSSL can read.
                return unreadable(date)
            }
            certificates.append(object)
        }
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

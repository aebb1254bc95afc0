// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Builds and verifies a chain with OpenSSL's `X509_verify_cert`.
///
/// Signatures come first: names are not compared with constraints, nor policies with each other, in a chain with a wrong
/// signature.
struct ChainVerifier {
    /// The required strength of keys and signatures, in OpenSSL's levels.
    enum Level: CInt {
        /// RSA from 1024 bits on; no SHA-1, MD5 and the like.
        case basic = 1
        /// RSA from 2048 bits on.
        case server = 2
    }

    /// The greatest number of certificates between the leaf and the anchor.
    static let greatestDepth: CInt = 32

    let library: LibcryptoX509
    let date: Date
    let level: Level
    let budget: TrustBudget
    let forms = CertificateForms()

    /// Reads a certificate that a stranger may have sent.
    ///
    /// - Returns: Nil if OpenSSL does not accept it, or if reading its extensions would cost too much.
    func certificate(_ bytes: Data) -> X509Certificate? {
        guard let certificate = X509Certificate(library, bytes) else { return nil }
        let cost = forms.form(of: certificate)?.counts.reading ?? 0
        return budget.spend(cost, .comparisons) ? certificate : nil
    }

    /// Verifies the first path that OpenSSL finds from a leaf to one of the anchors.
    ///
    /// - Throws: `errSecAllocate` without memory.
    func verified(
        _ leaf: X509Certificate, with others: [X509Certificate], _ store: X509Store
    ) throws(KeychainError) -> VerifiedChain {
        try verified(leaf, with: others, store, Flags.all)
    }

    /// Verifies a given path from a leaf to an anchor.
    ///
    /// - Throws: `errSecAllocate` without memory.
    func verified(_ path: [X509Certificate]) throws(KeychainError) -> VerifiedChain {
        guard let leaf = path.first, let anchor = path.last, let store = X509Store(library, [anchor]) else {
            throw Self.noMemory
        }
        // The anchor comes last. Otherwise its name could make OpenSSL leave out certificates of the path.
        return try verified(leaf, with: Array(path.dropFirst().dropLast()), store, Flags.all & ~Flags.trustedFirst)
    }

    private func verified(
        _ leaf: X509Certificate, with others: [X509Certificate], _ store: X509Store, _ flags: CUnsignedLong
    ) throws(KeychainError) -> VerifiedChain {
        let verification = Verification(self)
        guard let list = X509List(library, others), let context = library.newContext() else { throw Self.noMemory }
        defer {
            library.freeContext(context)
            library.common.clearErrors()
        }
        guard library.begin(context, store.pointer, leaf.pointer, list.pointer) == 1,
            let parameters = library.contextParameters(context)
        else { throw Self.noMemory }
        prepare(parameters, flags)
        verification.usual = library.verification(context)
        // OpenSSL borrows them all.
        let result = withExtendedLifetime((verification, list, store, leaf)) {
            _ = library.setContextData(context, 0, Unmanaged.passUnretained(verification).toOpaque())
            library.setCallback(context, noteVerifyError)
            library.setVerification(context, verifySignaturesFirst)
            return library.verify(context)
        }
        // The absence of errors is not enough: the verification must also end with success.
        if !verification.isTooCostly, result != 1 || (verification.findings.isEmpty && library.error(context) != 0) {
            verification.note(library.error(context), depth: library.errorDepth(context))
        }
        let chain = library.certificates(of: context)
        if chain.isEmpty { verification.note(CInt.max, depth: 0) }
        return VerifiedChain(chain.isEmpty ? [leaf] : chain, verification.findings)
    }

    private enum Flags {
        static let policyCheck: CUnsignedLong = 0x80
        static let trustedFirst: CUnsignedLong = 0x8000
        /// An anchor need not be self-signed.
        static let partialChain: CUnsignedLong = 0x80000
        static let all = policyCheck | trustedFirst | partialChain
    }

    private func prepare(_ parameters: LibcryptoX509.Object, _ flags: CUnsignedLong) {
        // Some of them are OpenSSL's defaults.
        _ = library.clearFlags(parameters, Flags.all)
        _ = library.setFlags(parameters, flags)
        library.setTime(parameters, date.posixTime)
        library.setDepth(parameters, Self.greatestDepth)
        library.setLevel(parameters, level.rawValue)
    }

    static let noMemory = KeychainError(errSecAllocate, "OpenSSL has no memory for a chain")
}

/// A chain as far as it could be built, leaf first, and the failures of each certificate.
struct VerifiedChain {
    let certificates: [X509Certificate]
    private(set) var failures: [[TrustCheck]]

    fileprivate init(_ certificates: [X509Certificate], _ findings: [Verification.Finding]) {
        self.certificates = certificates
        failures = Array(repeating: [], count: certificates.count)
        for finding in findings { add(finding.check, at: finding.depth) }
    }

    mutating func add(_ check: TrustCheck, at depth: Int) {
        let index = min(max(depth, 0), failures.count - 1)
        if !failures[index].contains(check) { failures[index].append(check) }
    }
}

/// The verification of one chain, on one thread.
private final class Verification {
    typealias Finding = (check: TrustCheck, depth: Int)

    let library: LibcryptoX509
    let budget: TrustBudget
    let forms: CertificateForms
    /// OpenSSL's own verification of signatures and dates.
    var usual: LibcryptoX509.VerifyFunction?
    private(set) var findings: [Finding] = []
    private(set) var isTooCostly = false

    init(_ verifier: ChainVerifier) {
        (library, budget, forms) = (verifier.library, verifier.budget, verifier.forms)
    }

    func note(_ error: CInt, depth: CInt) {
        findings.append((TrustCheck(verifyError: error), Int(depth)))
    }

    /// Verifies the signatures of the chain that OpenSSL has built, if the budget allows it. Afterwards, OpenSSL compares
    /// names and policies if the budget also allows that.
    func verifySignatures(_ context: LibcryptoX509.Object) -> CInt {
        let chain = library.certificates(of: context)
        guard budget.spend(chain.count, .signatures) else { return stop() }
        guard let usual else { return 0 }
        let result = usual(context)
        guard result > 0 else { return result }
        // The failure of a certificate that cannot be read is added later.
        let counts = chain.compactMap { forms.form(of: $0)?.counts }
        guard counts.count == chain.count else { return 0 }
        return budget.spend(CertificateCounts.comparisons(in: counts), .comparisons) ? result : stop()
    }

    private func stop() -> CInt {
        isTooCostly = true
        findings.append((.cost, 0))
        return 0
    }
}

/// Records an error and lets OpenSSL continue, so that all errors are found. After a wrong signature, none of the others
/// matters.
private func noteVerifyError(_ isFine: CInt, _ context: OpaquePointer?) -> CInt {
    guard isFine != 1 else { return 1 }
    guard let context, let verification = verification(of: context) else { return 0 }
    let error = verification.library.error(context)
    verification.note(error, depth: verification.library.errorDepth(context))
    let wrongSignature: CInt = 7
    return error == wrongSignature ? 0 : 1
}

private func verifySignaturesFirst(_ context: OpaquePointer?) -> CInt {
    guard let context else { return 0 }
    return verification(of: context)?.verifySignatures(context) ?? 0
}

private func verification(of context: LibcryptoX509.Object) -> Verification? {
    LibcryptoX509.shared?.contextData(context, 0).map {
        Unmanaged<Verification>.fromOpaque($0).takeUnretainedValue()
    }
}

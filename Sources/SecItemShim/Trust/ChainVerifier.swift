// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Builds and verifies a chain with OpenSSL's `X509_verify_cert`.
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
        let findings = VerifyFindings(library)
        guard let list = X509List(library, others), let context = library.newContext() else { throw Self.noMemory }
        defer {
            library.freeContext(context)
            library.common.clearErrors()
        }
        guard library.begin(context, store.pointer, leaf.pointer, list.pointer) == 1,
            let parameters = library.contextParameters(context)
        else { throw Self.noMemory }
        prepare(parameters, flags)
        // OpenSSL borrows them all.
        let result = withExtendedLifetime((findings, list, store, leaf)) {
            _ = library.setContextData(context, 0, Unmanaged.passUnretained(findings).toOpaque())
            library.setCallback(context, noteVerifyError)
            return library.verify(context)
        }
        // The absence of errors is not enough: the verification must also end with success.
        if result != 1 || (findings.isEmpty && library.error(context) != 0) {
            findings.note(library.error(context), depth: library.errorDepth(context))
        }
        let chain = chain(of: context)
        if chain.isEmpty { findings.note(CInt.max, depth: 0) }
        return VerifiedChain(chain.isEmpty ? [leaf] : chain, findings)
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

    private func chain(of context: LibcryptoX509.Object) -> [X509Certificate] {
        let chain = library.chain(context)
        return (0..<max(library.count(chain), 0)).compactMap { index in
            library.element(chain, index).flatMap { X509Certificate(library, sharing: $0) }
        }
    }

    static let noMemory = KeychainError(errSecAllocate, "OpenSSL has no memory for a chain")
}

/// A chain as far as it could be built, leaf first, and the failures of each certificate.
struct VerifiedChain {
    let certificates: [X509Certificate]
    private(set) var failures: [[TrustCheck]]

    fileprivate init(_ certificates: [X509Certificate], _ findings: VerifyFindings) {
        self.certificates = certificates
        failures = Array(repeating: [], count: certificates.count)
        for finding in findings.all { add(finding.check, at: finding.depth) }
    }

    mutating func add(_ check: TrustCheck, at depth: Int) {
        let index = min(max(depth, 0), failures.count - 1)
        if !failures[index].contains(check) { failures[index].append(check) }
    }
}

/// The errors that OpenSSL reports during the verification of one chain, on one thread.
private final class VerifyFindings {
    let library: LibcryptoX509
    private(set) var all: [(check: TrustCheck, depth: Int)] = []

    init(_ library: LibcryptoX509) {
        self.library = library
    }

    var isEmpty: Bool { all.isEmpty }

    func note(_ error: CInt, depth: CInt) {
        all.append((TrustCheck(verifyError: error), Int(depth)))
    }
}

/// Records an error and lets OpenSSL continue, so that all errors are found.
private func noteVerifyError(_ isFine: CInt, _ context: OpaquePointer?) -> CInt {
    guard isFine != 1 else { return 1 }
    guard let context, let library = LibcryptoX509.shared, let data = library.contextData(context, 0) else { return 0 }
    let findings = Unmanaged<VerifyFindings>.fromOpaque(data).takeUnretainedValue()
    findings.note(library.error(context), depth: library.errorDepth(context))
    return 1
}

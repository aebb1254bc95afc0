// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// An evaluation of certificates: the certificates, the policies, and the result.
///
/// `SecTrustCreateWithCertificates` makes one. Any thread may use it. OpenSSL 3 builds the chain; the first evaluation
/// in the process loads it. Without OpenSSL nothing is trusted, and evaluations give `errSecUnimplemented`. Apple:
/// [SecTrust](https://developer.apple.com/documentation/security/sectrust).
public final class SecTrust: _CFObject, @unchecked Sendable {
    private let lock = LockedValue(())
    private var request: TrustRequest
    private var isFetchAllowed: Bool?
    /// Counts the changes, so that a result is kept only for the request that it belongs to.
    private var revision = 0
    private var outcome: TrustEvaluation?
    private let library: LibcryptoX509?

    init(_ request: TrustRequest, library: LibcryptoX509?) {
        self.request = request
        self.library = library
    }

    var current: TrustRequest { lock.withLock { _ in request } }

    /// Changes the request, and drops earlier results.
    func change(_ body: (inout TrustRequest) -> Void) {
        lock.withLock { _ in
            body(&request)
            revision += 1
            outcome = nil
        }
    }

    var fetchAllowed: Bool {
        get { lock.withLock { _ in isFetchAllowed ?? request.policies.contains { $0.identifier != basicIdentifier } } }
        set { lock.withLock { _ in isFetchAllowed = newValue } }
    }

    private var basicIdentifier: String { kSecPolicyAppleX509Basic as String }

    /// The result of the current request. It is evaluated once, until something changes or it gets too old.
    ///
    /// - Parameter shared: The budget that several evaluations share. A result that exceeds it is not kept.
    /// - Throws: `errSecUnimplemented` without OpenSSL, `errSecAllocate` without memory.
    func evaluation(within shared: TrustBudget? = nil) throws(KeychainError) -> TrustEvaluation {
        let (request, known, revision) = lock.withLock { _ in (self.request, outcome, self.revision) }
        if let known, isFresh(known, for: request) { return known }
        let found = try request.evaluate(library, within: shared ?? TrustBudget())
        return lock.withLock { _ in
            guard revision == self.revision, shared == nil || !found.isTooCostly else { return found }
            // Another thread may have been faster: all threads get the same result.
            if let outcome, isFresh(outcome, for: request) { return outcome }
            outcome = found
            return found
        }
    }

    /// Whether the result is still valid. A result for the present time is valid for a minute.
    private func isFresh(_ outcome: TrustEvaluation, for request: TrustRequest) -> Bool {
        request.date != nil || (0..<60).contains(Date().timeIntervalSince(outcome.date))
    }

    /// The result of the current request without its exceptions; nil if nothing can be evaluated.
    func evaluationWithoutExceptions() -> TrustEvaluation? {
        var request = current
        request.exceptions = nil
        return try? request.evaluate(library)
    }
}

extension SecTrust: CoreFoundationObject {
    package static let typeIdentifier = TypeIdentifier.trust

    package var summary: String { "<SecTrust: \(current.certificates.first?.parts.summary ?? "of nobody")>" }
}

/// Gives the type identifier of trusts, to compare with the result of `CFGetTypeID`.
@discardableResult
public func SecTrustGetTypeID() -> CFTypeID {
    SecTrust.typeIdentifier
}

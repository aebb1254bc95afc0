// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// Certificates to be judged, the rules for it, and the outcome.
///
/// Made by `SecTrustCreateWithCertificates`. Any thread may use one. The chain is built by OpenSSL 3, which is looked for
/// when the first one is evaluated; where it is not installed, nothing is trusted and evaluations answer
/// `errSecUnimplemented`. Apple: [SecTrust](https://developer.apple.com/documentation/security/sectrust).
public final class SecTrust: NSObject, @unchecked Sendable {
    private let lock = ForkableLock()
    private var request: TrustRequest
    private var isFetchAllowed: Bool?
    /// Counts the changes, so that an outcome is kept only for the request that it belongs to.
    private var revision = 0
    private var outcome: TrustEvaluation?
    private let library: LibcryptoX509?

    init(_ request: TrustRequest, library: LibcryptoX509?) {
        self.request = request
        self.library = library
        super.init()
    }

    /// The request as it is now.
    var current: TrustRequest { lock.withLock { request } }

    /// Changes the request; what was found before no longer counts.
    func change(_ body: (inout TrustRequest) -> Void) {
        lock.withLock {
            body(&request)
            revision += 1
            outcome = nil
        }
    }

    var fetchAllowed: Bool {
        get { lock.withLock { isFetchAllowed ?? request.policies.contains { $0.identifier != basicIdentifier } } }
        set { lock.withLock { isFetchAllowed = newValue } }
    }

    private var basicIdentifier: String { kSecPolicyAppleX509Basic as String }

    /// What is found for the present request; found once, until something changes.
    ///
    /// - Throws: `errSecUnimplemented` without OpenSSL, `errSecAllocate` without memory.
    func evaluation() throws(KeychainError) -> TrustEvaluation {
        let (request, known, revision) = lock.withLock { (self.request, outcome, self.revision) }
        if let known, isFresh(known, for: request) { return known }
        let found = try request.evaluate(library)
        return lock.withLock {
            guard revision == self.revision else { return found }
            // Another thread may have been first: everybody gets the same outcome.
            if let outcome, isFresh(outcome, for: request) { return outcome }
            outcome = found
            return found
        }
    }

    /// Whether what was found still holds: for the present time, only for a minute.
    private func isFresh(_ outcome: TrustEvaluation, for request: TrustRequest) -> Bool {
        request.date != nil || (0..<60).contains(Date().timeIntervalSince(outcome.date))
    }

    /// What is found for the present request without its exceptions; nil where nothing can be evaluated.
    func evaluationWithoutExceptions() -> TrustEvaluation? {
        var request = current
        request.exceptions = nil
        return try? request.evaluate(library)
    }

    public override var description: String {
        "<SecTrust: \(current.certificates.first?.parts.summary ?? "of nobody")>"
    }
}

extension SecTrust: CoreFoundationObject {
    package static let typeIdentifier = TypeIdentifier.trust
}

/// Gives the type identifier of trusts, to compare with what `CFGetTypeID` gives for an object.
@discardableResult
public func SecTrustGetTypeID() -> CFTypeID {
    SecTrust.typeIdentifier
}

// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The meaning of OCSP responses from a connection for a leaf.
struct StapledResponses {
    enum Answer {
        /// No response can be trusted.
        case none
        case good
        case revoked
    }

    let library: LibcryptoX509
    let leaf: X509Certificate
    let issuer: X509Certificate
    let date: Date

    /// Whether the budget allows to examine them: each has its own signature and that of its signer.
    func areWithin(_ budget: TrustBudget, _ responses: [Data]) -> Bool {
        budget.spend(responses.reduce(0) { $0 + $1.count }, .bytes) && budget.spend(2 * responses.count, .signatures)
    }

    /// A response of "revoked" overrides all responses of "good".
    func answer(_ responses: [Data]) -> Answer {
        defer { library.common.clearErrors() }
        let answers = responses.map(answer)
        if answers.contains(.revoked) { return .revoked }
        return answers.contains(.good) ? .good : .none
    }

    private func answer(_ bytes: Data) -> Answer {
        guard let response = library.read(library.readResponse, bytes) else { return .none }
        defer { library.freeResponse(response) }
        guard library.responseStatus(response) == 0, let basic = library.basicResponse(response) else { return .none }
        defer { library.freeBasicResponse(basic) }
        guard isSigned(basic) else { return .none }
        let digests: [KeyDigest] = [.sha1, .sha256]
        return digests.lazy.map { status(in: basic, $0) }.first { $0 != .none } ?? .none
    }

    /// Whether the leaf's issuer signed it, or a responder that the issuer authorised.
    private func isSigned(_ basic: LibcryptoX509.Object) -> Bool {
        guard let store = X509Store(library, [issuer]), let parameters = library.storeParameters(store.pointer),
            let list = X509List(library, [issuer])
        else { return false }
        let partialChain: CUnsignedLong = 0x80000
        _ = library.setFlags(parameters, partialChain)
        library.setTime(parameters, date.posixTime)
        library.setLevel(parameters, ChainVerifier.Level.basic.rawValue)
        // No certificate can be between the signer and the issuer: RFC 6960, section 4.2.2.2.
        let withoutChain: CUnsignedLong = 0x8
        return withExtendedLifetime((store, list)) {
            library.verifyResponse(basic, list.pointer, store.pointer, withoutChain) == 1
        }
    }

    private func status(in basic: LibcryptoX509.Object, _ digest: KeyDigest) -> Answer {
        let algorithm = library.common.algorithm(digest)
        guard let identifier = library.newCertificateIdentifier(algorithm, leaf.pointer, issuer.pointer) else {
            return .none
        }
        defer { library.freeCertificateIdentifier(identifier) }
        var status: CInt = -1
        var reason: CInt = 0
        var revoked: LibcryptoX509.Object?
        var thisUpdate: LibcryptoX509.Object?
        var nextUpdate: LibcryptoX509.Object?
        guard library.findStatus(basic, identifier, &status, &reason, &revoked, &thisUpdate, &nextUpdate) == 1 else {
            return .none
        }
        switch status {
        case 0: return isCurrent(thisUpdate, nextUpdate) ? .good : .none
        case 1: return .revoked
        default: return .none
        }
    }

    private func isCurrent(_ thisUpdate: LibcryptoX509.Object?, _ nextUpdate: LibcryptoX509.Object?) -> Bool {
        let now = date.posixTime
        let slip: time_t = 300
        let withoutEnd: time_t = 7 * 86_400
        guard let thisUpdate, [0, -1].contains(library.compareTime(thisUpdate, now + slip)) else { return false }
        if let nextUpdate { return [0, 1].contains(library.compareTime(nextUpdate, now - slip)) }
        return [0, 1].contains(library.compareTime(thisUpdate, now - withoutEnd))
    }
}

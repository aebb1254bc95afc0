// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A key and its certificate from a file of keys.
struct ImportedIdentity {
    let identity: SecIdentity
    /// The name in the file, or else the summary of the certificate.
    let label: String?
    /// The hash of the public key.
    let keyIdentifier: Data
    /// The certificates that its chain may contain, the leaf first.
    let candidates: [SecCertificate]

    /// A trust object for the chain, and the chain as far as it can be built. Callers evaluate whether it is trusted.
    ///
    /// - Throws: `errSecUnimplemented` without OpenSSL, `errSecAllocate` without memory.
    func evaluatedTrust() throws(KeychainError) -> (object: SecTrust, chain: [SecCertificate]) {
        let request = TrustRequest(certificates: candidates, policies: [SecPolicyCreateBasicX509()])
        let trust = SecTrust(request, library: .shared)
        return (trust, try trust.evaluation().chain)
    }
}

extension PKCS12Bags {
    /// Joins keys and certificates.
    ///
    /// A certificate belongs to a key if it has the key's public half. If several do, the result has the one that the
    /// file marks as the key's, or else the first.
    var identities: [ImportedIdentity] {
        let all = certificates.map(\.content)
        let byKey = Dictionary(grouping: certificates) { $0.content.parts.publicKeyHash }
        let authorities = Authorities(all)
        return keys.compactMap { key in
            let candidates = byKey[key.content.publicKeyHash] ?? []
            let marked = candidates.first { $0.identifier != nil && $0.identifier == key.identifier }
            guard let leaf = marked ?? candidates.first else { return nil }
            return ImportedIdentity(
                identity: SecIdentity(leaf.content, SecKey(key.content)),
                label: key.name ?? leaf.name ?? leaf.content.parts.summary,
                keyIdentifier: key.content.publicKeyHash, candidates: authorities.chainCandidates(for: leaf.content))
        }
    }

    /// The keys that have no certificate in the file.
    var loneKeys: [SecKey] {
        let known = Set(certificates.map { $0.content.parts.publicKeyHash })
        return keys.filter { !known.contains($0.content.publicKeyHash) }.map { SecKey($0.content) }
    }
}

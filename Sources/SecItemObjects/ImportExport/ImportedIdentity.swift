// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A key and its certificate from a file of keys.
package struct ImportedIdentity {
    let identity: SecIdentity
    /// The name in the file, or else the summary of the certificate.
    let label: String?
    /// The hash of the public key.
    let keyIdentifier: Data
    /// The certificates that its chain may contain, the leaf first.
    let candidates: [SecCertificate]

    /// A trust object for the chain, and the chain as far as it can be built. Callers evaluate whether it is trusted.
    /// If the budget is spent, the chain is the leaf alone; a caller who evaluates the trust has a budget of its own.
    ///
    /// - Throws: `errSecUnimplemented` without OpenSSL, `errSecAllocate` without memory.
    func evaluatedTrust(
        within budget: TrustBudget
    ) throws(KeychainError) -> (object: SecTrust, chain: [SecCertificate]) {
        let request = TrustRequest(certificates: candidates, policies: [SecPolicyCreateBasicX509()])
        let trust = SecTrust(request, library: .shared)
        return (trust, try trust.evaluation(within: budget).chain)
    }
}

extension ImportedIdentity {
    /// Reads the identities in a PKCS #12 file: each with its chain, and with its result of `SecPKCS12Import`.
    package static func read(
        _ file: CFData, _ passphrase: Passphrase
    ) throws(KeychainError) -> [(identity: SecIdentity, chain: [SecCertificate], result: NSDictionary)] {
        var budget = ImportBudget()
        let bags = try PKCS12File(FileBytes.slice(file)).bags(passphrase, &budget)
        var read: [(identity: SecIdentity, chain: [SecCertificate], result: NSDictionary)] = []
        for identity in bags.identities {
            let trust = try identity.evaluatedTrust(within: budget.trust)
            read.append((identity.identity, trust.chain, identity.rendered(trust.object, trust.chain)))
        }
        return read
    }
}

extension PKCS12Bags {
    /// Joins keys and certificates. Each pair of a key and its certificate is one identity, however many copies of the
    /// two are in the file.
    ///
    /// A certificate belongs to a key if it has the key's public half. If several do, the result has the one that the
    /// file marks as the key's, or else the first.
    var identities: [ImportedIdentity] {
        let authorities = Authorities(certificates.map(\.content))
        var first: [Data: Bag<SecCertificate>] = [:]
        var marked: [Mark: Bag<SecCertificate>] = [:]
        for certificate in certificates {
            let key = certificate.content.parts.publicKeyHash
            if first[key] == nil { first[key] = certificate }
            guard let identifier = certificate.identifier else { continue }
            let mark = Mark(key: key, identifier: identifier)
            if marked[mark] == nil { marked[mark] = certificate }
        }
        var known: [Data: Set<SecCertificate>] = [:]
        var identities: [ImportedIdentity] = []
        for key in keys {
            let hash = key.content.publicKeyHash
            let own = key.identifier.flatMap { marked[Mark(key: hash, identifier: $0)] }
            guard let leaf = own ?? first[hash], known[hash, default: []].insert(leaf.content).inserted else {
                continue
            }
            identities.append(
                ImportedIdentity(
                    identity: SecIdentity(leaf.content, SecKey(key.content, named: key.name)),
                    label: key.name ?? leaf.name ?? leaf.content.parts.summary, keyIdentifier: hash,
                    candidates: authorities.chainCandidates(for: leaf.content)))
        }
        return identities
    }

    /// The keys that have no certificate in the file, each once.
    var loneKeys: [SecKey] {
        var known = Set(certificates.map { $0.content.parts.publicKeyHash })
        let lone = keys.filter { known.insert($0.content.publicKeyHash).inserted }
        return lone.map { SecKey($0.content, named: $0.name) }
    }
}

/// The key of a certificate, and the mark that the file gives the two.
private struct Mark: Hashable {
    let key: Data
    let identifier: Data
}

// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Certificates by their subjects. It finds the issuers of a certificate by their names.
struct Authorities: Sendable {
    /// How many levels `kSecMatchIssuers` goes up, as in Apple's keychain.
    private static let greatestDepth = 10

    private let bySubject: [Data: [SecCertificate]]

    init(_ certificates: [SecCertificate]) {
        var bySubject: [Data: [SecCertificate]] = [:]
        for certificate in certificates {
            guard let subject = certificate.parts.subject.normalized else { continue }
            bySubject[subject, default: []].append(certificate)
        }
        self.bySubject = bySubject
    }

    /// The names, and those of all known subjects below them.
    func issuers(leadingTo names: Set<Data>) -> Set<Data> {
        var found = names
        for _ in 0..<Self.greatestDepth {
            let more = bySubject.filter { subject, certificates in
                !found.contains(subject)
                    && certificates.contains { $0.parts.issuer.normalized.map(found.contains) ?? false }
            }
            if more.isEmpty { break }
            found.formUnion(more.keys)
        }
        return found
    }

    /// A certificate, and the certificates that may be above it according to their names, the nearest first, up to the
    /// limit of a trust.
    func chainCandidates(for leaf: SecCertificate) -> [SecCertificate] {
        var found = [leaf]
        var names: Set<Data> = []
        var index = 0
        while index < found.count, found.count < TrustLimits.greatestChain {
            let name = found[index].parts.issuer.normalized
            index += 1
            guard let name, names.insert(name).inserted else { continue }
            let room = TrustLimits.greatestChain - found.count
            found += (bySubject[name] ?? []).filter { $0 != leaf }.prefix(room)
        }
        return found
    }
}

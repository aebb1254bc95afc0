// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Certificates by whom they are about: the one place that follows names from a certificate to those above it.
struct Authorities: Sendable {
    /// How far `kSecMatchIssuers` goes up, as Apple's keychain does.
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

    /// The names, and those of the subjects below them whose certificates are known.
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

    /// A certificate, and those that may stand above it by their names, the nearest first; as many as a trust takes.
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

// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Certificates by their subjects. It finds the issuers of a certificate by their names.
package struct Authorities: Sendable {
    /// How many levels `kSecMatchIssuers` goes up, as in Apple's keychain.
    private static let greatestDepth = 10

    private let bySubject: [Data: [SecCertificate]]

    package init(_ certificates: [SecCertificate]) {
        var bySubject: [Data: [SecCertificate]] = [:]
        var known: Set<SecCertificate> = []
        for certificate in certificates where known.insert(certificate).inserted {
            guard let subject = certificate.parts.subject.normalized else { continue }
            bySubject[subject, default: []].append(certificate)
        }
        self.bySubject = bySubject
    }

    /// The names, and those of all known subjects below them.
    package func issuers(leadingTo names: Set<Data>) -> Set<Data> {
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

    /// The certificates that somebody else sent, of those that may be in a chain: at most half of the limit of a trust.
    private static let greatestSent = TrustLimits.greatestChain / 2

    /// A certificate, and the certificates that may be above it according to their names, the nearest first, up to the
    /// limit of a trust.
    ///
    /// - Parameter sent: Certificates that came with the leaf. They never take the place of these, however many have
    ///   the right names.
    package func chainCandidates(for leaf: SecCertificate, sent: Authorities? = nil) -> [SecCertificate] {
        var found = FoundCertificates(leaf)
        found.goUp { name, room in candidates(named: name, room) }
        guard let sent else { return found.all }
        var sentRoom = Self.greatestSent
        found.goUp { name, room in
            let own = candidates(named: name, room)
            let others = sent.candidates(named: name, min(sentRoom, room - own.count))
            sentRoom -= others.count
            return own + others
        }
        return found.all
    }

    private func candidates(named subject: Data, _ room: Int) -> ArraySlice<SecCertificate> {
        (bySubject[subject] ?? []).prefix(max(room, 0))
    }
}

/// Certificates of a possible chain, each once.
private struct FoundCertificates {
    private(set) var all: [SecCertificate]
    private var known: Set<SecCertificate>

    init(_ leaf: SecCertificate) {
        all = [leaf]
        known = [leaf]
    }

    /// Adds those above each certificate, as long as there is room.
    ///
    /// - Parameter candidates: Gives the certificates of a subject, at most as many as there is room for.
    mutating func goUp(_ candidates: (Data, Int) -> ArraySlice<SecCertificate>) {
        var names: Set<Data> = []
        var index = 0
        while index < all.count, all.count < TrustLimits.greatestChain {
            let name = all[index].parts.issuer.normalized
            index += 1
            guard let name, names.insert(name).inserted else { continue }
            for certificate in candidates(name, TrustLimits.greatestChain - all.count)
            where known.insert(certificate).inserted {
                all.append(certificate)
            }
        }
    }
}

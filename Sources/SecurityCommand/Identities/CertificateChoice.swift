// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import SecItemShim

/// The options that choose one certificate, or the identity that it belongs to.
struct CertificateChoice: ParsableArguments {
    @Option(name: .shortJoined("c"), parsing: .unconditional, help: "Part of the common name.")
    var name: String?

    @Option(name: .shortJoined("Z"), parsing: .unconditional, help: "SHA-256 (or SHA-1) hash.")
    var hash: String?

    @Flag(name: .customShort("t"), help: "Also delete user trust settings (there are none here).")
    var trustSettings = false

    /// The one that is meant.
    ///
    /// - Parameter certificate: The certificate of each candidate.
    /// - Throws: ``CommandFailure`` when none is meant, or more than one may be.
    func only<Candidate>(
        of candidates: [Candidate], _ certificate: (Candidate) -> SecCertificate?
    ) throws -> Candidate {
        guard name != nil || hash != nil else { throw CommandFailure.usage("give a name (-c) or a hash (-Z)") }
        if trustSettings { CommandContext.current.ignore("-t", because: "there are no trust settings of users") }
        let matching = candidates.filter { certificate($0).map(isMeant) ?? false }
        let exact = matching.filter { certificate($0)?.commonName == name }
        let meant = hash == nil && matching.count > 1 && exact.count == 1 ? exact : matching
        guard let first = meant.first else {
            throw CommandFailure(
                "SecKeychainSearchCopyNext", errSecItemNotFound, reason: "no certificate matches")
        }
        guard meant.count == 1 else {
            throw CommandFailure("the name or hash is ambiguous, matches more than one certificate")
        }
        return first
    }

    private func isMeant(_ certificate: SecCertificate) -> Bool {
        if let hash { return CertificateDigest(certificate).matches(hash) }
        return name.map(certificate.isNamed) ?? false
    }
}

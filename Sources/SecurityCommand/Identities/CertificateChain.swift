// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemShim

/// The certificates that an evaluation has put together, leaf first, and what is wrong with each.
struct CertificateChain {
    private var certificates: [SecCertificate] = []
    /// Apple's names of the failures of each certificate.
    private var errors: [[String]] = []

    init() {}

    init(_ trust: SecTrust) {
        certificates = SecTrustCopyCertificateChain(trust) as? [SecCertificate] ?? []
        let details = SecTrustCopyResult(trust)?["TrustResultDetails"] as? [NSDictionary] ?? []
        errors = details.map { failures in
            failures.allKeys.compactMap { $0 as? String }.filter { $0 != "StatusCodes" }.sorted()
        }
    }

    /// The chain as a Mac's command prints it, without the description of the objects in its memory.
    func text(withPEM: Bool) -> String {
        let lines = certificates.enumerated().map { index, certificate in
            line(index, certificate) + (withPEM ? PEMText.certificate(certificate) : "")
        }
        return "---\nCertificate chain\n" + lines.joined()
    }

    /// What is wrong with each certificate; empty when all is well.
    var errorText: String {
        guard errors.contains(where: { !$0.isEmpty }) else { return "" }
        let lines = zip(certificates, errors).enumerated().map { index, element in
            line(index, element.0) + element.1.map { "    [\($0)]\n" }.joined()
        }
        return "---\nCertificate errors\n" + lines.joined()
    }

    private func line(_ index: Int, _ certificate: SecCertificate) -> String {
        " \(index): \(PrintedBytes.line(certificate.summary))\n"
    }
}

// SPDX-License-Identifier: Apache-2.0

import SelfSigned
import X509

/// A part of the graph that does not use the keychain.
@main
struct CertificatesOnly {
    static func main() throws {
        let certificate: Certificate = try makeCertificate()
        print("CertificatesOnly: \(certificate.subject)")
    }
}

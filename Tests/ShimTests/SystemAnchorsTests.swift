// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import SecItemObjects

/// The machine's bundle of authorities.
@Suite struct SystemAnchorsTests {
    /// Certificates are read from blocks with their label. A damaged block does not affect the others.
    @Test func bundle_hasTheCertificatesThatSaySo() {
        let first = MadeCertificate(subject: [.commonName("first")]).data
        let second = MadeCertificate(subject: [.commonName("second")]).data
        let bundle =
            "# Authorities\n" + block("CERTIFICATE", first) + block("X509 CRL", second) + block("PRIVATE KEY", second)
            + block("TRUSTED CERTIFICATE", second) + "-----BEGIN CERTIFICATE-----\n!\n-----END CERTIFICATE-----\n"
            + "Second\n" + block("CERTIFICATE", second)
        #expect(SystemAnchors.certificates(in: Data(bundle.utf8)) == [first, second])
        #expect(SystemAnchors.certificates(in: Data(block("TRUSTED CERTIFICATE", first).utf8)).isEmpty)
        #expect(SystemAnchors.certificates(in: Data()).isEmpty)
    }

    private func block(_ label: String, _ content: Data) -> String {
        let lines = content.base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
        return "-----BEGIN \(label)-----\n\(lines)\n-----END \(label)-----\n"
    }
}

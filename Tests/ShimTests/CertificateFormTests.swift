// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import TestSupport
import Testing

@testable import SecItemObjects

/// Faults of a certificate that do not depend on its chain. The published chains have the other cases.
@Suite(.enabled(if: trustProgramIsThere, "the program openssl is not there"))
struct CertificateFormTests {
    private let made: TrustCertificates

    init() throws { made = try TrustCertificates() }

    @Test func usualCertificates_haveNoFlaw() throws {
        for extensions in [TrustCertificates.authority, TrustCertificates.server + [TrustCertificates.host]] {
            let certificate = try made.make("one", extensions)
            #expect(try CertificateForm(ofCertificate: certificate.bytes).failures(isAuthority: false) == [])
        }
    }

    @Test func extension_thatIsThereTwice_isFound() throws {
        let certificate = try made.make("one", ["1.2.3.4=ASN1:NULL", "1.2.3.5=ASN1:NULL"])
        let other = Data([0x06, 0x03, 0x2A, 0x03, 0x05])
        let place = try #require(certificate.bytes.range(of: other))
        var bytes = certificate.bytes
        bytes[place.upperBound - 1] = 0x04
        #expect(try CertificateForm(ofCertificate: bytes).failures(isAuthority: false) == [.duplicateExtension])
        let judged = try Judgement([SecCertificate(bytes)], anchors: [SecCertificate(bytes)])
        #expect(judged.status == errSecCertificateDuplicateExtension)
    }

    @Test(arguments: [
        ("caIssuers;URI:http://example.org/a", true), ("OCSP;URI:http://example.org/a", true),
        ("caIssuers;DNS:example.org", false), ("OCSP;email:a@example.org", false), ("1.2.3;DNS:example.org", true),
    ])
    func placeOfAnIssuer_isAURL(_ place: String, _ isFine: Bool) throws {
        let certificate = try made.make("one", ["authorityInfoAccess=" + place])
        let status = try Judgement([certificate], anchors: [certificate]).status
        #expect(status == (isFine ? errSecSuccess : errSecUnknownCertExtension))
    }

    @Test func subject_mayBeMissing_onlyWhereTheNamesAreCritical() throws {
        let table: [(extensions: [String], isFine: Bool)] = [
            (["subjectAltName=critical,DNS:a.example.org"], true), (["subjectAltName=DNS:a.example.org"], false),
            ([], false), (TrustCertificates.authority + ["subjectAltName=critical,DNS:a.example.org"], false),
        ]
        for (extensions, isFine) in table {
            let certificate = try made.make("one", subject: "/", extensions)
            let status = try Judgement([certificate], anchors: [certificate]).status
            #expect(status == (isFine ? errSecSuccess : errSecInvalidSubjectName), "\(extensions)")
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import Certificates
import Crypto
import Foundation
import X509
import XCTest

final class StoredCertificatesTests: XCTestCase {
    func testCertificateIsReadBack() throws {
        let store = StoredCertificates()
        let label = "org.example.passwords.certificates"
        XCTAssertNil(try store.certificate(label: label))
        XCTAssertFalse(store.isInUse)
        let certificate = try makeCertificate()
        XCTAssertEqual(try store.add(certificate, label: label), errSecSuccess)
        defer { store.remove(label: label) }
        XCTAssertEqual(try store.certificate(label: label), certificate)
        XCTAssertTrue(store.isInUse)
        XCTAssertEqual(store.lookUpCount, 2)
    }

    private func makeCertificate() throws -> Certificate {
        let key = Certificate.PrivateKey(P256.Signing.PrivateKey())
        let name = try DistinguishedName { CommonName("toolset") }
        return try Certificate(
            version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: key.publicKey,
            notValidBefore: Date(), notValidAfter: Date(timeIntervalSinceNow: 3600), issuer: name, subject: name,
            signatureAlgorithm: .ecdsaWithSHA256, extensions: Certificate.Extensions(), issuerPrivateKey: key)
    }
}

// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

/// Certificates, and the properties that are read from them.
@Suite struct CertificateTests {
    private func certificate(_ data: Data) throws -> SecCertificate {
        try #require(SecCertificateCreateWithData(nil, data as CFData))
    }

    @Test func certificate_givesItsBytesAndKey() throws {
        for (data, key) in [
            (KeyVectors.rsaCertificate, KeyVectors.rsaPublicKey),
            (KeyVectors.p256Certificate, KeyVectors.p256PublicKey),
        ] {
            let certificate = try certificate(data)
            #expect(SecCertificateCopyData(certificate) as Data == data)
            let found = try #require(SecCertificateCopyKey(certificate))
            #expect(SecKeyCopyExternalRepresentation(found, nil) as Data? == key)
        }
    }

    @Test func certificate_tellsItsNames() throws {
        let certificate = try certificate(KeyVectors.p256Certificate)
        var name: CFString?
        #expect(SecCertificateCopyCommonName(certificate, &name) == errSecSuccess)
        #expect(name as String? == "anna.example.org")
        #expect(SecCertificateCopySubjectSummary(certificate) as String? == "anna.example.org")
        var addresses: CFArray?
        #expect(SecCertificateCopyEmailAddresses(certificate, &addresses) == errSecSuccess)
        #expect(addresses as? [String] == ["second@example.org", "anna@example.org"])
        #expect(
            SecCertificateCopySerialNumberData(certificate, nil) as Data? == Data([0, 0xab, 0x12, 0xcd, 0x34]))
    }

    @Test func normalizedName_isTheName_ofTheOneWhoSignedItself() throws {
        let first = try certificate(KeyVectors.p256Certificate)
        let name = try #require(SecCertificateCopyNormalizedSubjectSequence(first) as Data?)
        #expect(name.first == 0x30)
        #expect(Int(name[1]) == name.count - 2)
        #expect(name.range(of: Data("anna.example.org".utf8)) != nil)
        #expect(SecCertificateCopyNormalizedIssuerSequence(first) as Data? == name)
    }

    @Test func certificates_areEqual_byTheirBytes() throws {
        let first = try certificate(KeyVectors.p256Certificate)
        let second = try certificate(KeyVectors.p256Certificate)
        #expect(first == second)
        #expect(first.hashValue == second.hashValue)
        #expect(first != (try certificate(KeyVectors.rsaCertificate)))
        #expect(CFGetTypeID(first) == SecCertificateGetTypeID())
        #expect(CFEqual(first, second))
    }

    @Test func data_thatIsNoCertificate_isNone() {
        let whole = KeyVectors.p256Certificate
        #expect(SecCertificateCreateWithData(nil, Data() as CFData) == nil)
        #expect(SecCertificateCreateWithData(nil, Data("certificate".utf8) as CFData) == nil)
        #expect(SecCertificateCreateWithData(nil, KeyVectors.rsaPublicKey as CFData) == nil)
        for length in 0..<whole.count {
            #expect(SecCertificateCreateWithData(nil, whole.prefix(length) as CFData) == nil)
        }
        #expect(SecCertificateCreateWithData(nil, (whole + [0]) as CFData) == nil)
    }

    /// No bytes make the process trap.
    @Test func data_withAnyByteChanged_isReadOrRefused() {
        for index in KeyVectors.rsaCertificate.indices {
            var data = KeyVectors.rsaCertificate
            for change: UInt8 in [0x01, 0x80, 0xff] {
                data[index] ^= change
                guard let certificate = SecCertificateCreateWithData(nil, data as CFData) else { continue }
                _ = SecCertificateCopyKey(certificate)
                _ = SecCertificateCopySubjectSummary(certificate)
                _ = SecCertificateCopyNormalizedIssuerSequence(certificate)
                #expect(SecCertificateCopyData(certificate) as Data == data)
            }
        }
    }

    @Test func sharedCredentials_areUnimplemented() async {
        let added = await withCheckedContinuation { continuation in
            SecAddSharedWebCredential("example.org" as CFString, "anna" as CFString, nil) {
                continuation.resume(returning: $0?.code)
            }
        }
        #expect(added == Int(errSecUnimplemented))
        let found = await withCheckedContinuation { continuation in
            SecRequestSharedWebCredential(nil, nil) { items, error in
                continuation.resume(returning: (items == nil, error?.code))
            }
        }
        #expect(found.0)
        #expect(found.1 == Int(errSecUnimplemented))
    }
}

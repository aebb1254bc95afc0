import Foundation
import Security
import Testing

@testable import SecItemShim

/// What is read from certificates that are made for the purpose: names, versions, keys and what is no certificate.
@Suite struct CertificateNameTests {
    private func certificate(_ change: (inout MadeCertificate) -> Void) throws -> SecCertificate {
        var made = MadeCertificate()
        change(&made)
        return try #require(SecCertificateCreateWithData(nil, made.data as CFData))
    }

    private func summary(_ subject: [MadeCertificate.Part], _ names: [(UInt8, String)] = []) throws -> String? {
        let certificate = try certificate {
            $0.subject = subject
            $0.alternativeNames = names.map { (tag: $0, text: $1) }
        }
        return SecCertificateCopySubjectSummary(certificate) as String?
    }

    @Test func summary_isTheFirstNameThatThereIs() throws {
        let names: [(UInt8, String)] = [(0x82, "host"), (0x81, "mail@host")]
        let subject: [MadeCertificate.Part] = [
            .organization("organization"), .unit("unit"), .unit("last unit"), .commonName("name"),
            .commonName("last name"), .email("subject@host"),
        ]
        #expect(try summary(subject, names) == "last name")
        #expect(try summary(Array(subject.prefix(3)), names) == "last unit")
        #expect(try summary(Array(subject.prefix(1)), names) == "organization")
        #expect(try summary([.email("subject@host")], names) == "mail@host")
        #expect(try summary([.email("subject@host")]) == "subject@host")
        #expect(try summary([], [(0x82, "host"), (0x82, "second host")]) == "host")
        #expect(try summary([]) == nil)
    }

    @Test func emailAddresses_areThoseOfTheExtensionFirst() throws {
        let certificate = try certificate {
            $0.subject = [.email("subject@host")]
            $0.alternativeNames = [(tag: 0x82, text: "host"), (tag: 0x81, text: "mail@host")]
        }
        var addresses: CFArray?
        #expect(SecCertificateCopyEmailAddresses(certificate, &addresses) == errSecSuccess)
        #expect(addresses as? [String] == ["mail@host", "subject@host"])
    }

    @Test func text_isReadByItsKind() throws {
        func name(_ tag: UInt8, _ bytes: [UInt8]) throws -> String? {
            let certificate = try certificate {
                $0.subject = [MadeCertificate.Part(kind: [0x55, 4, 3], tag: tag, bytes: bytes)]
            }
            var name: CFString?
            #expect(SecCertificateCopyCommonName(certificate, &name) == errSecSuccess)
            return name as String?
        }
        #expect(try name(0x0c, Array("é".utf8)) == "é")
        #expect(try name(0x13, Array("printable".utf8)) == "printable")
        #expect(try name(0x16, Array("ia5".utf8)) == "ia5")
        #expect(try name(0x14, [0xe9]) == "é")
        #expect(try name(0x1e, [0x00, 0xe9, 0x20, 0xac]) == "é€")
        #expect(try name(0x04, [0x41]) == nil)
    }

    @Test func normalizedName_changesTextOfASCIIKindsOnly() throws {
        func normalized(_ tag: UInt8) throws -> Data {
            let certificate = try certificate { $0.issuer = [.commonName("  a  b ", tag: tag)] }
            return try #require(SecCertificateCopyNormalizedIssuerSequence(certificate) as Data?)
        }
        for tag: UInt8 in [0x0c, 0x13, 0x16] {
            #expect(try normalized(tag).suffix(5) == Data([tag, 3] + Array("A B".utf8)))
        }
        for tag: UInt8 in [0x14, 0x04] {
            #expect(try normalized(tag).suffix(9) == Data([tag, 7] + Array("  a  b ".utf8)))
        }
    }

    @Test func issuerAndSubject_areNotTakenForEachOther() throws {
        let certificate = try certificate { $0.subject = [.commonName("subject")] }
        let subject = try #require(SecCertificateCopyNormalizedSubjectSequence(certificate) as Data?)
        let issuer = try #require(SecCertificateCopyNormalizedIssuerSequence(certificate) as Data?)
        #expect(subject.range(of: Data("SUBJECT".utf8)) != nil)
        #expect(issuer.range(of: Data("ISSUER".utf8)) != nil)
    }

    @Test(arguments: [(nil, 1), (0, 1), (1, 2), (2, 3), (5, 3)] as [(UInt8?, Int)])
    func version_countsFromOne_andEndsAtThree(_ number: UInt8?, _ version: Int) throws {
        #expect(try certificate { $0.version = number }.parts.version == version)
    }

    @Test func key_ofEachCurve_isThere() throws {
        let curves: [([UInt8], Data)] = [
            ([0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07], KeyVectors.p256PublicKey),
            ([0x2b, 0x81, 0x04, 0x00, 0x22], KeyVectors.p384PublicKey),
            ([0x2b, 0x81, 0x04, 0x00, 0x23], KeyVectors.p521PublicKey),
        ]
        for (curve, bytes) in curves {
            let certificate = try certificate {
                $0.curve = curve
                $0.publicKey = bytes
            }
            let key = try #require(SecCertificateCopyKey(certificate))
            #expect(SecKeyCopyExternalRepresentation(key, nil) as Data? == bytes)
        }
        #expect(SecCertificateCopyKey(try certificate { $0.publicKey = Data([4, 1]) }) == nil)
    }

    @Test func almostACertificate_isNone() {
        func isRead(_ change: (inout MadeCertificate) -> Void) -> Bool {
            var made = MadeCertificate()
            change(&made)
            return SecCertificateCreateWithData(nil, made.data as CFData) != nil
        }
        #expect(isRead { _ in })
        #expect(!isRead { $0.signature = [] })
        #expect(!isRead { $0.signature = MadeCertificate.der(0x05, []) })
        #expect(!isRead { $0.serialNumber = MadeCertificate.der(0x04, [7]) })
        #expect(!isRead { $0.serialNumber = [] })
    }

    @Test func identities_areEqual_byCertificateAndKey() throws {
        let parameters = [kSecAttrKeyType: kSecAttrKeyTypeEC, kSecAttrKeySizeInBits: 256] as CFDictionary
        let keys = try (0..<2).map { _ in try #require(SecKeyCreateRandomKey(parameters, nil)) }
        let certificates = try [UInt8(1), 2].map { number in
            try certificate { $0.serialNumber = MadeCertificate.der(0x02, [number]) }
        }
        let identity = SecIdentity(certificates[0], keys[0])
        #expect(SecIdentityCreate(nil, certificates[0], keys[0]) == identity)
        #expect(SecKeyCopyPublicKey(keys[0]).flatMap { SecIdentityCreate(nil, certificates[0], $0) } == nil)
        #expect(identity == SecIdentity(try certificate { $0.serialNumber = MadeCertificate.der(0x02, [1]) }, keys[0]))
        #expect(identity.hash == SecIdentity(certificates[0], keys[0]).hash)
        #expect(identity != SecIdentity(certificates[0], keys[1]))
        #expect(identity != SecIdentity(certificates[1], keys[0]))
        #expect(!identity.isEqual(certificates[0]))
    }
}

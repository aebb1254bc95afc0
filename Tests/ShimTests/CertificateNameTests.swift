// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

@testable import SecItemObjects

/// Names, versions and keys of certificates that the tests make, and data that is not a certificate.
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

    /// Apple's order: common names, an e-mail address, a host, units, organizations, any other text.
    @Test func summary_isTheFirstNameThatThereIs() throws {
        let names: [(UInt8, String)] = [(0x82, "host.example"), (0x81, "mail@host")]
        let subject: [MadeCertificate.Part] = [
            .organization("organization"), .unit("unit"), .unit("last unit"), .commonName("name"),
            .commonName("last name"), .email("subject@host"),
        ]
        #expect(try summary(subject, names) == "last name, name")
        #expect(try summary(subject + [.description("one"), .description("two")]) == "last name, name (two, one)")
        #expect(try summary(Array(subject.prefix(3)), names) == "mail@host")
        #expect(try summary(Array(subject.prefix(3)), [names[0]]) == "host.example")
        #expect(try summary(Array(subject.prefix(3))) == "last unit, unit")
        #expect(try summary(Array(subject.prefix(3)), [(0x82, "no host")]) == "last unit, unit")
        #expect(try summary(Array(subject.prefix(1))) == "organization")
        #expect(try summary([.description("one"), .locality("place")]) == "place, one")
        #expect(try summary([.email("subject@host")], names) == "mail@host")
        #expect(try summary([.email("subject@host")]) == "subject@host")
        #expect(try summary([], [(0x82, "host.one"), (0x82, "host.two")]) == "host.one")
        #expect(try summary([]) == nil)
    }

    @Test func shortDescription_isWhatPeopleCallIt() throws {
        func label(_ subject: [MadeCertificate.Part], _ names: [(UInt8, String)] = []) throws -> String? {
            let certificate = try certificate {
                $0.subject = subject
                $0.alternativeNames = names.map { (tag: $0, text: $1) }
            }
            let short = SecCertificateCopyShortDescription(nil, certificate, nil) as String?
            #expect(SecCertificateCopyLongDescription(kCFAllocatorDefault, certificate, nil) as String? == short)
            return short
        }
        let subject: [MadeCertificate.Part] = [
            .organization("organization"), .unit("unit"), .unit("last unit"), .description("one"), .description("two"),
        ]
        #expect(try label(subject + [.commonName("name"), .commonName("last name")]) == "last name (one)")
        #expect(try label(subject, [(0x81, "mail@host")]) == "unit (one)")
        #expect(try label([subject[0], .email("subject@host")]) == "organization")
        #expect(try label([.locality("place"), .email("subject@host")]) == "subject@host")
        #expect(try label([.locality("place"), .description("one")]) == "place")
        #expect(try label([.commonName("Thawte Freemail Member")], [(0x81, "mail@host")]) == "mail@host")
        #expect(try label([], [(0x81, "mail@host")]) == "mail@host")
        #expect(try label([], [(0x82, "host.example")]) == "X509 Certificate")
        #expect(try label([]) == "X509 Certificate")
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
        func length(_ bytes: [UInt8], _ tag: UInt8) throws -> Int? { try name(tag, bytes)?.utf16.count }
        #expect(try name(0x0c, Array("é".utf8)) == "é")
        #expect(try name(0x13, Array("printable".utf8)) == "printable")
        #expect(try name(0x16, Array("ia5".utf8)) == "ia5")
        #expect(try name(0x14, [0xe9]) == "é")
        #expect(try name(0x1e, [0x00, 0xe9, 0x20, 0xac]) == "é€")
        // A zero at the end is not part of the text.
        #expect(try name(0x0c, [0x41, 0]) == "A")
        #expect(try name(0x13, [0xe9]) == "é")
        #expect(try name(0x1e, [0xff, 0xfe, 0xe9, 0x00]) == "é")
        // A value that is not text gives a description of it.
        #expect(try name(0x0c, [0xff, 0xfe]) == "FF FE")
        #expect(try name(0x04, [0x41]) == "Byte string; 1 bytes; data = 41")
        #expect(try name(0x02, [1, 0]) == "256")
        #expect(try name(0x06, [0x2a, 0x03]) == "1.2.3")
        #expect(try name(0x12, [0x31]) == "not displayed (tag = 18; length 1)")
        #expect(try length(Array(repeating: 0x41, count: 300), 0x13) == 300)
    }

    @Test func commonName_thatIsNotThere_isAnError() throws {
        var name: CFString? = "before" as CFString
        #expect(SecCertificateCopyCommonName(try certificate { $0.subject = [.unit("unit")] }, &name) == -26276)
        #expect(name == "before" as CFString)
    }

    /// A name that cannot be read counts as absent, and the certificate can still be made.
    @Test func nameThatCannotBeRead_isNone() throws {
        for name in [[0x31, 0], [0x30, 0], MadeCertificate.der(0x31, [0x30, 0])] as [[UInt8]] {
            let certificate = try certificate {
                $0.subject = [.commonName("name")]
                $0.rawSubject = MadeCertificate.der(0x30, name)
            }
            #expect(SecCertificateCopyNormalizedSubjectSequence(certificate) == nil)
            #expect(SecCertificateCopyNormalizedIssuerSequence(certificate) != nil)
            #expect(SecCertificateCopySubjectSummary(certificate) == nil)
        }
    }

    /// Damaged alternative names count as absent. If they are critical, the certificate cannot be made.
    @Test func damagedNames_areNone_unlessTheyAreCritical() throws {
        func made(_ names: [UInt8], isCritical: Bool) -> MadeCertificate {
            var made = MadeCertificate()
            made.subject = [.unit("unit")]
            made.rawExtensions = [MadeCertificate.extension([0x55, 0x1d, 17], names, isCritical: isCritical)]
            return made
        }
        for names in [[], [0x30, 0], [0x31, 0], [0x30, 2, 0x82], [0x30, 2, 0x02, 0], [0x30, 2, 0x89, 0]] as [[UInt8]] {
            #expect(SecCertificateCreateWithData(nil, made(names, isCritical: true).data as CFData) == nil)
            let certificate = try #require(
                SecCertificateCreateWithData(nil, made(names, isCritical: false).data as CFData))
            #expect(SecCertificateCopySubjectSummary(certificate) as String? == "unit")
        }
    }

    /// For every type of text and every length, only a PrintableString and its lengths change.
    @Test func normalizedName_changesPrintableStringsOnly() throws {
        for size in [0, 1, 2, 90, 127, 128, 200, 300] {
            let text = " \t " + String(repeating: "a  Bz\u{7f}{ ", count: size) + "  "
            let words = text.split { $0 == " " || $0 == "\t" }.joined(separator: " ")
            let capitals = String(decoding: words.utf8.map { 97...122 ~= $0 ? $0 - 32 : $0 }, as: UTF8.self)
            for tag: UInt8 in [0x0c, 0x13, 0x16, 0x14, 0x1e, 0x04, 0x12, 0x1a, 0x1c] {
                let parts: [MadeCertificate.Part] = [.unit("Unit"), .commonName(text, tag: tag)]
                let certificate = try certificate { $0.issuer = parts }
                let expected = [parts[0], tag == 0x13 ? .commonName(capitals, tag: tag) : parts[1]]
                #expect(
                    SecCertificateCopyNormalizedIssuerSequence(certificate) as Data?
                        == Data(MadeCertificate.name(expected)))
                #expect(
                    SecCertificateCopyNormalizedIssuerContent(certificate, nil) as Data?
                        == Data(MadeCertificate.name(expected)))
            }
        }
    }

    @Test func issuerAndSubject_areNotTakenForEachOther() throws {
        let certificate = try certificate { $0.subject = [.commonName("subject")] }
        let subject = try #require(SecCertificateCopyNormalizedSubjectSequence(certificate) as Data?)
        let issuer = try #require(SecCertificateCopyNormalizedIssuerSequence(certificate) as Data?)
        #expect(subject.range(of: Data("subject".utf8)) != nil)
        #expect(issuer.range(of: Data("issuer".utf8)) != nil)
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
        #expect(identity.hashValue == SecIdentity(certificates[0], keys[0]).hashValue)
        #expect(identity != SecIdentity(certificates[0], keys[1]))
        #expect(identity != SecIdentity(certificates[1], keys[0]))
        #expect(!CFEqual(identity, certificates[0]))
    }
}

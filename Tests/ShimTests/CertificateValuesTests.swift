// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemConformance
import Security
import TestSupport
import Testing

/// The result of `SecCertificateCopyValues`.
@Suite struct CertificateValuesTests {
    typealias Entry = [String: Any]

    // MARK: - Against OpenSSL

    static let extensions = [
        "basicConstraints=critical,CA:TRUE,pathlen:3", "keyUsage=critical,digitalSignature,keyCertSign,cRLSign",
        "subjectAltName=DNS:host.example.org,DNS:*.example.org,IP:192.0.2.1,IP:2001:db8::1,email:anna@example.org,"
            + "URI:https://example.org/a?b=c,RID:1.2.3.4",
        "extendedKeyUsage=1.2.3.4.5,1.3.6.1.4.1.99999.1", "subjectKeyIdentifier=hash",
        "authorityInfoAccess=1.2.3.4;URI:http://ocsp.example.org,1.2.3.5;DNS:ca.example.org",
        "crlDistributionPoints=URI:http://crl.example.org/a.crl,URI:ldap://example.org/CN=a",
        "certificatePolicies=1.2.3.4,1.3.6.1.4.1.99999.2",
        "nameConstraints=critical,permitted;DNS:example.org,excluded;email:example.com",
        "policyConstraints=requireExplicitPolicy:3,inhibitPolicyMapping:0", "1.2.3.4.5.6=ASN1:UTF8String:text",
        "1.2.3.4.5.7=ASN1:SEQUENCE:texts",
    ]

    private static let subject =
        "/C=DE/O=Anna’s Example/OU=unit+OU=other/CN=Anna/emailAddress=anna@example.org/1.2.3.4=x"

    private func certificates() throws -> (files: TrustCertificates, all: [(name: String, SecCertificate)]) {
        let files = try TrustCertificates()
        let section =
            "[req]\ndistinguished_name=dn\nprompt=no\nutf8=yes\n[dn]\n[texts]\na=UTF8:one\nb=INT:2\nc=IA5:two\n"
        try Data(section.utf8).write(to: files.url("cnf"))
        let subject = Self.subject
        var all: [(String, SecCertificate)] = []
        for (name, key) in [
            ("rsa", ["rsa:2048"]), ("curve", ["ec", "-pkeyopt", "ec_paramgen_curve:P-384"]), ("other", ["ed25519"]),
        ] {
            all.append((name, try files.make(name, subject: subject, key: key, Self.extensions)))
        }
        all.append(
            ("leaf", try files.make("leaf", by: "rsa", digest: "sha384", ["authorityKeyIdentifier=keyid,issuer"])))
        all.append(("plain", try files.make("plain", [])))
        return (files, all)
    }

    private func values(_ certificate: SecCertificate, _ keys: [CFString]? = nil) throws -> [String: Entry] {
        let values = SecCertificateCopyValues(certificate, keys as CFArray?, nil)
        return try #require(values as? [String: Entry])
    }

    private func section(_ entry: Entry?) -> [Entry] {
        #expect(entry?[kSecPropertyKeyType as String] as? String == kSecPropertyTypeSection as String)
        return entry?[kSecPropertyKeyValue as String] as? [Entry] ?? []
    }

    /// The labels and texts of a section. Those of nested sections are in brackets.
    private func lines(_ entry: Entry?) -> [String] {
        section(entry).map { entry in
            let label = entry[kSecPropertyKeyLabel as String] as? String ?? ""
            return switch entry[kSecPropertyKeyValue as String] {
            case let text as String: "\(label): \(text)"
            case let url as URL: "\(label): \(url.absoluteString)"
            case let data as Data: "\(label): \(data.map { String(format: "%02X", $0) }.joined(separator: ":"))"
            case let date as Date: "\(label): \(date.timeIntervalSince1970)"
            default: "\(label): [\(lines(entry).joined(separator: ", "))]"
            }
        }
    }

    @Test(.enabled(if: trustProgramIsThere, "OpenSSL is not there"))
    func everyField_isWhatOpenSSLReads() throws {
        let (files, all) = try certificates()
        for (name, certificate) in all {
            func openssl(_ words: String...) throws -> String {
                try Program("openssl", ["x509", "-in", files.path(name + ".pem"), "-noout"] + words).output()
                    .trimmingCharacters(in: .whitespacesAndNewlines)
            }
            func value(_ words: String...) throws -> String {
                let text = try openssl(words[0], words.dropFirst().first ?? "-noout")
                return text.split(separator: "=", maxSplits: 1).last.map(String.init) ?? ""
            }
            let values = try values(certificate)
            let prints = lines(values["Fingerprints"])
            #expect(
                prints == [
                    "SHA-256: \(try value("-fingerprint", "-sha256"))", "SHA-1: \(try value("-fingerprint", "-sha1"))",
                ])
            let serial = values[kSecOIDX509V1SerialNumber as String]?[kSecPropertyKeyValue as String] as? String
            let digits = serial.map { $0.replacingOccurrences(of: " ", with: "") }
            #expect(digits.map { String($0.drop { $0 == "0" }) } == String(try value("-serial").drop { $0 == "0" }))
            let version = values[kSecOIDX509V1Version as String]?[kSecPropertyKeyValue as String] as? String
            #expect(try openssl("-text").contains("Version: \(try #require(version)) "))
            for (key, option) in [
                (kSecOIDX509V1ValidityNotBefore, "-startdate"), (kSecOIDX509V1ValidityNotAfter, "-enddate"),
            ] {
                let seconds = values[key as String]?[kSecPropertyKeyValue as String] as? Double
                let format = DateFormatter()
                format.locale = Locale(identifier: "en_US_POSIX")
                format.dateFormat = "MMM d HH:mm:ss yyyy zzz"
                #expect(seconds == format.date(from: try value(option))?.timeIntervalSinceReferenceDate)
            }
            for (key, option) in [(kSecOIDX509V1SubjectName, "-subject"), (kSecOIDX509V1IssuerName, "-issuer")] {
                let text = try openssl(option, "-nameopt", "oid,utf8,sep_multiline")
                let expected = text.split(separator: "\n").dropFirst().flatMap { $0.components(separatedBy: " + ") }
                    .map { $0.trimmingCharacters(in: .whitespaces).replacingOccurrences(of: "=", with: ": ") }
                let parts = section(values[key as String]).flatMap { entry -> [String] in
                    if entry[kSecPropertyKeyLabel as String] == nil { return lines(entry) }
                    let type = kSecPropertyTypeSection
                    return lines([kSecPropertyKeyType as String: type, kSecPropertyKeyValue as String: [entry]])
                }
                #expect(parts == expected, "\(name) \(option)")
            }
        }
    }

    @Test(.enabled(if: trustProgramIsThere, "OpenSSL is not there"))
    func everyExtension_saysWhatItWasMadeWith() throws {
        let (_, all) = try certificates()
        for (name, certificate) in all.prefix(3) {
            let values = try values(certificate)
            func lines(_ key: String) -> [String] { self.lines(values[key]) }
            #expect(
                lines(kSecOIDBasicConstraints as String)
                    == ["Critical: Yes", "Certificate Authority: Yes", "Path Length Constraint: 3"], "\(name)")
            #expect(
                lines(kSecOIDSubjectAltName as String) == [
                    "Critical: No", "DNS Name: host.example.org", "DNS Name: *.example.org", "IP Address: 192.0.2.1",
                    "IP Address: 2001:0DB8:0000:0000:0000:0000:0000:0001", "Email Address: anna@example.org",
                    "URI: https://example.org/a?b=c", "Registered ID: 1.2.3.4",
                ])
            #expect(
                lines(kSecOIDAuthorityInfoAccess as String) == [
                    "Critical: No", "Access Method: 1.2.3.4", "URI: http://ocsp.example.org", "Access Method: 1.2.3.5",
                    "DNS Name: ca.example.org",
                ])
            #expect(
                lines(kSecOIDCrlDistributionPoints as String)
                    == ["Critical: No", "URI: http://crl.example.org/a.crl", "URI: ldap://example.org/CN=a"])
            #expect(
                lines(kSecOIDCertificatePolicies as String) == [
                    "Critical: No", "Policy Identifier #1: 1.2.3.4", "Policy Identifier #2: 1.3.6.1.4.1.99999.2",
                ])
            #expect(
                lines(kSecOIDNameConstraints as String) == [
                    "Critical: Yes", "Permitted Subtree General Name: [DNS Name: example.org]",
                    "Excluded Subtree General Name: [Email Address: example.com]",
                ])
            #expect(
                lines(kSecOIDPolicyConstraints as String)
                    == ["Critical: No", "Require Explicit Policy: 3", "Inhibit Policy Mapping: 0"])
            #expect(lines("1.2.3.4.5.6") == ["Critical: No", "Unparsed Data: 0C:04:74:65:78:74"])
            #expect(lines("1.2.3.4.5.7") == ["Critical: No", "Data: one", "Data: two"])
            let usage = values[kSecOIDKeyUsage as String]?[kSecPropertyKeyValue as String] as? NSNumber
            #expect(
                usage.map { SecKeyUsage(rawValue: UInt32(bitPattern: $0.int32Value)) }
                    == [.critical, .digitalSignature, .keyCertSign, .crlSign])
            let purposes = values[kSecOIDExtendedKeyUsage as String]?[kSecPropertyKeyValue as String] as? [Data]
            #expect(purposes == [Data([0x2a, 3, 4, 5]), Data([0x2b, 6, 1, 4, 1, 0x86, 0x8d, 0x1f, 1])])
            let names: [(CFString, [String])] = [
                (kSecOIDCommonName, ["Anna"]), ("DNSNAMES", ["host.example.org", "*.example.org"]),
                ("IPADDRESSES", ["192.0.2.1", "2001:0DB8:0000:0000:0000:0000:0000:0001"]),
                (kSecOIDEmailAddress, ["anna@example.org", "anna@example.org"]),
            ]
            for (key, list) in names {
                #expect(values[key as String]?[kSecPropertyKeyValue as String] as? [String] == list)
            }
        }
        let plain = try values(all[4].1)
        let usage = plain[kSecOIDKeyUsage as String]?[kSecPropertyKeyValue as String] as? NSNumber
        #expect(usage == 0 && plain[kSecOIDExtendedKeyUsage as String] == nil)
        let leaf = lines(try values(all[3].1)[kSecOIDAuthorityKeyIdentifier as String])
        #expect(leaf.count == 2 && leaf[1].hasPrefix("Key Identifier: "))
    }

    // MARK: - Laws

    /// Every entry has the form that Apple documents.
    private func check(_ entry: Entry, depth: Int = 0) {
        let value = entry[kSecPropertyKeyValue as String]
        let label = entry[kSecPropertyKeyLabel as String] as? String
        #expect(entry[kSecPropertyKeyLocalizedLabel as String] as? String == label)
        #expect(entry.count == (label == nil ? 2 : 4) && depth < 8)
        switch entry[kSecPropertyKeyType as String] as? NSString {
        case kSecPropertyTypeString: #expect(value is String)
        case kSecPropertyTypeData: #expect(value is Data)
        case kSecPropertyTypeURL: #expect(value is URL)
        case kSecPropertyTypeDate: #expect(value is Date)
        case kSecPropertyTypeNumber: #expect(value is NSNumber)
        case kSecPropertyTypeArray: #expect(value is [String] || value is [Data])
        case kSecPropertyTypeSection:
            #expect(value is [Entry])
            for entry in value as? [Entry] ?? [] { check(entry, depth: depth + 1) }
        case let other: Issue.record("\(String(describing: other))")
        }
    }

    private func checkAll(_ certificate: SecCertificate) {
        guard let values = SecCertificateCopyValues(certificate, nil, nil) as? [String: Entry] else { return }
        for (key, entry) in values {
            #expect(!key.isEmpty && entry[kSecPropertyKeyLabel as String] != nil)
            check(entry)
        }
        _ = SecCertificateCopyKey(certificate)
        _ = SecCertificateCopySubjectSummary(certificate)
        _ = SecCertificateCopyShortDescription(nil, certificate, nil)
        _ = SecCertificateCopyNormalizedIssuerSequence(certificate)
        _ = SecCertificateCopyNormalizedSubjectSequence(certificate)
        _ = SecCertificateCopyNotValidBeforeDate(certificate)
        var name: CFString?
        _ = SecCertificateCopyCommonName(certificate, &name)
        var addresses: CFArray?
        #expect(SecCertificateCopyEmailAddresses(certificate, &addresses) == errSecSuccess && addresses != nil)
    }

    private var known: [Data] { [KeyVectors.rsaCertificate, KeyVectors.p256Certificate, Self.full.data] }

    @Test func keys_chooseAmongTheEntries() throws {
        for data in known {
            let certificate = try #require(SecCertificateCreateWithData(nil, data as CFData))
            checkAll(certificate)
            let all = try values(certificate)
            #expect(try values(certificate, []).isEmpty)
            #expect(try values(certificate, ["unknown", "1.2.3"]).isEmpty)
            #expect(try values(certificate, all.keys.map { $0 as CFString } + ["unknown"]).keys == all.keys)
            for key in all.keys {
                let one = try values(certificate, [key as CFString, key as CFString])
                #expect(one.keys.map { $0 } == [key])
                #expect(one[key] as NSDictionary? == all[key] as NSDictionary?)
            }
            var error: Unmanaged<CFError>?
            #expect(SecCertificateCopyValues(certificate, [1, kSecOIDKeyUsage] as CFArray, &error) == nil)
            #expect(error == nil)
        }
    }

    @Test func dates_areReadAsApplesDo() throws {
        func start(_ text: String) throws -> Date? {
            var made = MadeCertificate()
            made.dates[0] = text
            let certificate = try #require(SecCertificateCreateWithData(nil, made.data as CFData))
            #expect(
                (SecCertificateCopyNotValidAfterDate(certificate) == nil)
                    == (SecCertificateCopyNotValidBeforeDate(certificate) == nil))
            let number = try values(certificate)[kSecOIDX509V1ValidityNotBefore as String]
            let seconds = number?[kSecPropertyKeyValue as String] as? Double
            let date = SecCertificateCopyNotValidBeforeDate(certificate) as Date?
            #expect(date?.timeIntervalSinceReferenceDate == seconds)
            return date
        }
        func date(_ text: String) -> Date? { ISO8601DateFormatter().date(from: text) }
        #expect(try start("260102030405Z") == date("2026-01-02T03:04:05Z"))
        #expect(try start("2601020304Z") == date("2026-01-02T03:04:00Z"))
        #expect(try start("260102030405+0130") == date("2026-01-02T01:34:05Z"))
        #expect(try start("20260102030405-0130") == date("2026-01-02T04:34:05Z"))
        #expect(try start("20500102030405Z") == date("2050-01-02T03:04:05Z"))
        #expect(try start("700101000000Z") == date("1970-01-01T00:00:00Z"))
        #expect(try start("491231235959Z") == date("2049-12-31T23:59:59Z"))
        #expect(try start("240229000000Z") == date("2024-02-29T00:00:00Z"))
        for none in [
            "500101000000Z", "691231235959Z", "250229000000Z", "261301000000Z", "260100000000Z", "260101240000Z",
            "260101006000Z", "260101000061Z", "260101000000X", "26010100000", "2601010000000", "260101000000*0100", "",
            "2a0101000000Z", "2026010100Z", "20260101000000+01x0",
        ] {
            #expect(try start(none) == nil, "\(none)")
        }
    }

    @Test func end_dependsOnTheDate() throws {
        for (dates, key) in [
            (["200101000000Z", "21000101000000Z"], kSecOIDInvalidityDate as String),
            (["200101000000Z", "210101000000Z"], "Expired"), (["20990101000000Z", "21000101000000Z"], "Valid from"),
        ] {
            var made = MadeCertificate()
            made.dates = dates
            let certificate = try #require(SecCertificateCreateWithData(nil, made.data as CFData))
            let values = try values(certificate)
            let found = [kSecOIDInvalidityDate as String, "Expired", "Valid from"].filter { values[$0] != nil }
            #expect(found == [key])
            let expected =
                key == "Valid from"
                ? SecCertificateCopyNotValidBeforeDate(certificate) : SecCertificateCopyNotValidAfterDate(certificate)
            #expect(values[key]?[kSecPropertyKeyValue as String] as? Date == expected as Date?)
        }
    }

    // MARK: - Damage

    private static func der(_ tag: UInt8, _ parts: [UInt8]...) -> [UInt8] {
        MadeCertificate.der(tag, parts.flatMap { $0 })
    }

    /// The extensions that the library reads: identifier, valid value, and the label for a damaged value.
    private static let samples: [(kind: [UInt8], value: [UInt8], label: String)] = {
        let names = der(
            0x30, der(0x82, Array("host.example".utf8)), der(0xa4, MadeCertificate.name([.commonName("a")])))
        let other = der(0xa0, der(0x06, [0x2a, 3]), der(0xa0, der(0x0c, Array("other".utf8))))
        let policy = der(
            0x30, der(0x06, [0x2a, 3]),
            der(
                0x30, der(0x30, der(0x06, [0x2b, 6, 1, 5, 5, 7, 2, 1]), der(0x16, Array("http://a.b".utf8))),
                der(
                    0x30, der(0x06, [0x2b, 6, 1, 5, 5, 7, 2, 2]),
                    der(
                        0x30, der(0x30, der(0x0c, Array("who".utf8)), der(0x30, [2, 1, 1], [2, 1, 2])),
                        der(0x0c, Array("what".utf8))))))
        let point = der(
            0x30, der(0xa0, der(0xa0, der(0x86, Array("http://a.b".utf8)))), der(0x81, [5, 0x60]),
            der(0xa2, der(0x82, Array("issuer.example".utf8))))
        let date = Array("20260101000000Z".utf8)
        return [
            ([0x55, 0x1d, 14], der(0x04, [1, 2]), "Subject Key Identifier"),
            ([0x55, 0x1d, 15], der(0x03, [5, 0xa0]), "Usage"),
            ([0x55, 0x1d, 16], der(0x30, der(0x80, date), der(0x81, date)), "Private Key Usage Period"),
            ([0x55, 0x1d, 17], names, "General Names"), ([0x55, 0x1d, 18], der(0x30, other), "General Names"),
            ([0x55, 0x1d, 19], der(0x30, [1, 1, 0xff], [2, 1, 3]), "Basic Constraints"),
            (
                [0x55, 0x1d, 30], der(0x30, der(0xa0, der(0x30, der(0x82, [0x61]), [0x80, 1, 0], [0x81, 1, 9]))),
                "Name Constraints"
            ),
            ([0x55, 0x1d, 31], der(0x30, point), "CRL Distribution Points"),
            ([0x55, 0x1d, 32], der(0x30, policy), "Certificate Policies"),
            (
                [0x55, 0x1d, 35], der(0x30, der(0x80, [1, 2]), der(0xa1, der(0x82, [0x61])), der(0x82, [7])),
                "Authority Key Identifier"
            ),
            ([0x55, 0x1d, 36], der(0x30, [0x80, 1, 3], [0x81, 1, 0]), "Policy Constraints"),
            ([0x55, 0x1d, 37], der(0x30, der(0x06, [0x2a, 3])), "Extended Key Usage"),
            (
                [0x2b, 6, 1, 5, 5, 7, 1, 1], der(0x30, der(0x30, der(0x06, [0x2a, 3]), der(0x82, [0x61]))),
                "Authority Information Access"
            ),
            (
                [0x2b, 6, 1, 5, 5, 7, 1, 3],
                der(
                    0x30, der(0x30, der(0x06, [0x04, 0, 0x8e, 0x46, 1, 1])),
                    der(0x30, der(0x06, [0x04, 0, 0x8e, 0x46, 1, 6]), der(0x30, der(0x06, [0x2a, 3]))),
                    der(0x30, der(0x06, [0x2a, 5]), der(0x0c, [0x61]))),
                "Qualified Certificate Statements"
            ),
            ([0x60, 0x86, 0x48, 1, 0x86, 0xf8, 0x42, 1, 1], der(0x03, [0, 0xc1]), "Usage"),
        ]
    }()

    /// A certificate with all of these extensions.
    private static let full: MadeCertificate = {
        var made = MadeCertificate()
        made.subject = [.organization("o"), .commonName("c", tag: 0x13), .email("a@b")]
        made.rawExtensions =
            samples.map { MadeCertificate.extension($0.kind, $0.value) } + [
                MadeCertificate.extension([0x2a, 7], [1, 2])
            ]
        return made
    }()

    @Test func allExtensions_areDescribed() throws {
        let certificate = try #require(SecCertificateCreateWithData(nil, Self.full.data as CFData))
        let values = try values(certificate)
        func lines(_ key: CFString) -> [String] { self.lines(values[key as String]) }
        #expect(
            lines(kSecOIDSubjectAltName) == ["Critical: No", "DNS Name: host.example", "Directory Name: [2.5.4.3: a]"])
        #expect(lines(kSecOIDIssuerAltName) == ["Critical: No", "1.2.3: other"])
        #expect(
            lines(kSecOIDPrivateKeyUsagePeriod)
                == ["Critical: No", "Not Valid Before: 1767225600.0", "Not Valid After: 1767225600.0"])
        #expect(
            lines(kSecOIDNameConstraints) == [
                "Critical: No", "Permitted Subtree Minimum: 0", "Permitted Subtree Maximum: 9",
                "Permitted Subtree General Name: [DNS Name: a]",
            ])
        #expect(
            lines(kSecOIDCrlDistributionPoints) == [
                "Critical: No", "URI: http://a.b", "Reasons: Key Compromise, CA Compromise",
                "CRL Issuer: [DNS Name: issuer.example]",
            ])
        #expect(
            lines(kSecOIDCertificatePolicies) == [
                "Critical: No", "Policy Identifier #1: 1.2.3", "Policy Qualifier #1: 1.3.6.1.5.5.7.2.1",
                "CPS URI: http://a.b", "Policy Qualifier #2: 1.3.6.1.5.5.7.2.2", "Organization: who",
                "Notice Numbers: 1, 2", "Explicit Text: what",
            ])
        #expect(
            lines(kSecOIDAuthorityKeyIdentifier) == [
                "Critical: No", "Key Identifier: 01:02", "DNS Name: a", "Authority Certificate Serial Number: 7",
            ])
        #expect(
            lines(kSecOIDQC_Statements) == [
                "Critical: No", "Qualified Certificate: Yes", "Qualified Certificate Type: 1.2.3", "1.2.5: a",
            ])
        #expect(lines(kSecOIDNetscapeCertType) == ["Critical: No", "Usage: SSL client, SSL server, Object Signing CA"])
        #expect(lines("1.2.7") == ["Critical: No", "Unparsed Data: 01:02"])
        let usage = values[kSecOIDKeyUsage as String]?[kSecPropertyKeyValue as String] as? NSNumber
        #expect(usage?.uint32Value == SecKeyUsage([.digitalSignature, .keyEncipherment]).rawValue)
    }

    /// Each extension, truncated at any point and with any byte changed: the result has its bytes, or the parts that
    /// could be read.
    @Test func damagedExtension_isData() throws {
        /// The entries for one extension of a certificate; empty if its value has another type.
        func entries(_ kind: [UInt8], _ value: [UInt8]) throws -> [String] {
            var made = MadeCertificate()
            made.rawExtensions = [MadeCertificate.extension(kind, value)]
            let certificate = try #require(SecCertificateCreateWithData(nil, made.data as CFData))
            checkAll(certificate)
            let sections = try values(certificate).filter { key, entry in
                let first = (entry[kSecPropertyKeyValue as String] as? [Entry])?.first
                return first?[kSecPropertyKeyLabel as String] as? String == "Critical"
            }
            #expect(sections.count <= 1)
            return sections.first.map { lines($0.value) } ?? []
        }
        for sample in Self.samples {
            for count in 0..<sample.value.count {
                let lines = try entries(sample.kind, Array(sample.value.prefix(count)))
                let hex = sample.value.prefix(count).map { String(format: "%02X", $0) }.joined(separator: ":")
                if !lines.isEmpty { #expect(lines.last == "Invalid \(sample.label): \(hex)", "\(sample.label)") }
            }
            for index in sample.value.indices {
                for change: UInt8 in [0x01, 0x20, 0x7f, 0x80] {
                    var value = sample.value
                    value[index] ^= change
                    _ = try entries(sample.kind, value)
                }
            }
        }
    }

    /// Apple's description of this certificate would need hundreds of MiB.
    @Test func certificateWithTooManyValues_isRefused() throws {
        let name = Self.der(0x82, [])
        for (count, isDescribed) in [(8000, true), (20000, false)] {
            for kind: [UInt8] in [[0x55, 0x1d, 17], [0x55, 0x1d, 18]] {
                var made = MadeCertificate()
                let names = MadeCertificate.der(0x30, Array(repeating: name, count: count).flatMap { $0 })
                made.rawExtensions = [MadeCertificate.extension(kind, names)]
                let certificate = try #require(SecCertificateCreateWithData(nil, made.data as CFData))
                var error: Unmanaged<CFError>?
                #expect((SecCertificateCopyValues(certificate, nil, &error) != nil) == isDescribed)
                let code = error?.takeRetainedValue().code
                #expect(code == (isDescribed ? nil : Int(errSecDataTooLarge)))
            }
        }
        var large = MadeCertificate()
        large.rawExtensions = [MadeCertificate.extension([0x2a, 7], Array(repeating: 0, count: 1 << 20))]
        #expect(SecCertificateCreateWithData(nil, large.data as CFData) == nil)
        large.rawExtensions = [MadeCertificate.extension([0x2a, 7], Array(repeating: 0, count: 1 << 19))]
        checkAll(try #require(SecCertificateCreateWithData(nil, large.data as CFData)))
    }

    /// Changed certificates are refused or described.
    @Test func changedCertificates_areReadOrRefused() {
        var random = SeededGenerator()
        for round in RandomRounds.usually(400) {
            var data = known[round % known.count]
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let index = Int.random(in: 0..<data.count, using: &random)
                switch Int.random(in: 0..<8, using: &random) {
                case 0: data = data.prefix(index)
                case 1: data.remove(at: index)
                case 2: data[index] = .random(in: 0...255, using: &random)
                default: data[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                }
                if data.isEmpty { break }
            }
            guard let certificate = SecCertificateCreateWithData(nil, data as CFData) else { continue }
            #expect(SecCertificateCopyData(certificate) as Data == data)
            checkAll(certificate)
        }
    }
}

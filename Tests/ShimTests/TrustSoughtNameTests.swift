// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemConformance
import Security
import Testing

@testable import SecItemObjects

/// The name that a caller asks for, and the constraints of authorities.
@Suite(.enabled(if: trustProgramIsThere, "the program openssl is not there"))
struct TrustSoughtNameTests {
    private let made: TrustCertificates
    private let root: SecCertificate

    init() throws {
        made = try TrustCertificates()
        root = try made.make("root", days: 3000, TrustCertificates.authority)
    }

    private struct Row {
        let constraints: String
        let names: String
        let sought: String
        let status: OSStatus

        init(_ constraints: String, _ names: String, _ sought: String, _ status: OSStatus = errSecSuccess) {
            (self.constraints, self.names, self.sought, self.status) = (constraints, names, sought, status)
        }
    }

    private func judgement(_ row: Row, _ policy: SecPolicy) throws -> Judgement {
        let middle = try made.make(
            "middle", by: "root", days: 1000,
            TrustCertificates.authority
                + (row.constraints.isEmpty ? [] : ["nameConstraints=critical,\(row.constraints)"]))
        let leaf = try made.make(
            "leaf", by: "middle",
            ["basicConstraints=CA:FALSE", "extendedKeyUsage=serverAuth,emailProtection"]
                + ["subjectAltName=\(row.names)"])
        return try Judgement([leaf, middle], anchors: [root], policy)
    }

    /// A certificate for `*.example.com` is not valid for a host that an authority excludes.
    @Test func host_isWithinWhatTheAuthoritiesPermit() throws {
        let wildcard = "DNS:*.example.com"
        for row in [
            Row("excluded;DNS:a.example.com", wildcard, "a.example.com", errSecInvalidName),
            Row("excluded;DNS:a.example.com", wildcard, "A.EXAMPLE.com.", errSecInvalidName),
            Row("excluded;DNS:A.Example.com", wildcard, "a.example.com", errSecInvalidName),
            Row("excluded;DNS:a.example.com", wildcard, "b.example.com"),
            Row("excluded;DNS:a.example.com", wildcard, "ba.example.com"),
            Row("excluded;DNS:.a.example.com", wildcard, "a.example.com"),
            Row("excluded;DNS:a.example.com", "\(wildcard),DNS:b.example.com", "b.example.com"),
            Row("excluded;DNS:b.a.example.com", wildcard, "a.example.com"),
            Row("excluded;DNS:a.example.com", wildcard, "c.example.org", errSecHostNameMismatch),
            Row("permitted;DNS:example.com,excluded;DNS:a.example.com", wildcard, "a.example.com", errSecInvalidName),
            Row("permitted;DNS:example.com,excluded;DNS:a.example.com", wildcard, "b.example.com"),
            Row("permitted;DNS:a.example.com", wildcard, "a.example.com", errSecInvalidName),
            Row("permitted;DNS:example.org,permitted;DNS:example.com", wildcard, "a.example.com"),
            Row("permitted;IP:10.0.0.0/255.0.0.0", wildcard, "a.example.com"),
            Row("excluded;IP:10.1.0.0/255.255.0.0", "IP:10.2.3.4", "10.2.3.4"),
            Row("excluded;IP:10.2.0.0/255.255.0.0", "IP:10.2.3.4", "10.2.3.4", errSecInvalidName),
            Row("permitted;IP:10.0.0.0/255.0.0.0", "IP:10.2.3.4", "10.2.3.4"),
            Row("permitted;IP:10.0.0.0/255.0.0.0", "IP:11.2.3.4", "11.2.3.4", errSecInvalidName),
        ] {
            let judged = try judgement(row, SecPolicyCreateSSL(true, row.sought as CFString))
            #expect(judged.status == row.status, "\(row)")
        }
    }

    @Test func email_isWithinWhatTheAuthoritiesPermit() throws {
        for row in [
            Row("excluded;email:a.example", "email:x@a.example", "x@a.example", errSecInvalidName),
            Row("excluded;email:b.example", "email:x@a.example", "x@a.example"),
            Row("excluded;email:x@a.example", "email:x@a.example", "x@A.example", errSecInvalidName),
            Row("excluded;email:y@a.example", "email:x@a.example", "x@a.example"),
            Row("permitted;email:.a.example", "email:x@b.a.example", "x@b.a.example"),
            Row("permitted;email:.a.example", "email:x@a.example", "x@a.example", errSecInvalidName),
        ] {
            let properties = [kSecPolicyName as String: row.sought] as CFDictionary
            let policy = try #require(SecPolicyCreateWithProperties(kSecPolicyAppleSMIME, properties))
            #expect(try judgement(row, policy).status == row.status, "\(row)")
        }
    }

    /// Of several hosts, one that is permitted is enough.
    @Test func hosts_needOneThatIsPermitted() throws {
        for (hosts, status) in [
            (["a.example.com", "b.example.com"], errSecSuccess),
            (["a.example.com", "c.example.org"], errSecInvalidName),
            (["c.example.org"], errSecHostNameMismatch),
        ] {
            let properties = [kSecPolicyName as String: hosts] as CFDictionary
            let policy = try #require(SecPolicyCreateWithProperties(kSecPolicyAppleEAP, properties))
            let row = Row("excluded;DNS:a.example.com", "DNS:*.example.com", "")
            #expect(try judgement(row, policy).status == status, "\(hosts)")
        }
    }

    /// Random hosts, constraints and wildcards: a host is refused if and only if a constraint has it.
    @Test func soughtName_isComparedLabelByLabel() throws {
        var random = SeededGenerator(seed: 7)
        func name() -> String {
            let labels = ["a", "b", "ab"]
            return (0..<Int.random(in: 1...4, using: &random)).map { _ in
                labels.randomElement(using: &random) ?? "a"
            }.joined(separator: ".") + ".c"
        }
        for _ in RandomRounds.usually(300) {
            let (host, base) = (name(), name())
            let expected =
                Array(host.split(separator: ".").suffix(base.split(separator: ".").count))
                == Array(base.split(separator: "."))
            for (tag, isExclusion) in [(UInt8(0xa1), true), (0xa0, false)] {
                let subtree = MadeCertificate.der(0x30, MadeCertificate.der(0x82, Array(base.utf8)))
                let constraints = try NameConstraints(MadeCertificate.der(0x30, MadeCertificate.der(tag, subtree)))
                #expect(constraints.permits(.host(host)) == (expected != isExclusion), "\(host) \(base)")
                #expect(constraints.permits(.email("x@\(host)")), "\(host) \(base)")
            }
        }
    }

    /// A text is an address only if `inet_pton` reads it. Others that the resolver takes for an address are no name.
    @Test func address_isWhatTheResolverTakesForOne() throws {
        let names = "IP:10.2.3.4,IP:1.0.0.2,IP:127.0.0.1,IP:::1,IP:::ffff:10.2.3.4"
        for text in ["10.2.3.4", "127.0.0.1", "::1", "0:0:0:0:0:0:0:1", "::ffff:10.2.3.4", "::ffff:a02:304"] {
            let judged = try judgement(Row("", names, text), SecPolicyCreateSSL(true, text as CFString))
            #expect(judged.status == errSecSuccess, "\(text)")
        }
        for text in [
            "010.2.3.4", "10.02.3.4", "10.2.3.04", "0x0a.2.3.4", "10.2.772", "167903236", "1.2", "127.1", "2130706433",
            "0177.0.0.1", " 10.2.3.4", "10.2.3.4 ", "+10.2.3.4", "10.2.3.4..", "[::1]", "::1%lo", "10.2.3", "",
        ] {
            let judged = try judgement(Row("", names, text), SecPolicyCreateSSL(true, text as CFString))
            #expect(judged.status == errSecHostNameMismatch, "\(text)")
        }
        let hosts = "DNS:*.2.3.4,DNS:010.2.3.4,DNS:0x7f000001"
        for text in ["010.2.3.4", "0x7f000001"] {
            let judged = try judgement(Row("", hosts, text), SecPolicyCreateSSL(true, text as CFString))
            #expect(judged.status == errSecHostNameMismatch, "\(text)")
        }
    }
}

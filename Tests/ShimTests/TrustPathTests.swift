// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import TestSupport
import Testing

@testable import SecItemObjects

/// Leaves with more than one path to an anchor.
@Suite(.enabled(if: trustProgramIsThere, "the program openssl is not there"))
struct TrustPathTests {
    private let made: TrustCertificates
    private let root: SecCertificate
    private let middle: SecCertificate
    private let leaf: SecCertificate

    init() throws {
        (made, root, middle, leaf) = try TrustCertificates.chain()
    }

    private var server: SecPolicy { SecPolicyCreateSSL(true, "host.example.org" as CFString) }

    /// Another certificate of the intermediate authority, with the same name and key.
    private func namesake(
        _ extensions: [String], by issuer: String = "root", days: Int = 1000, digest: String = "sha256"
    ) throws -> SecCertificate {
        let name = "namesake-\(UUID().uuidString)"
        return try made.make(
            name, by: issuer, subject: "/CN=middle", keyOf: "middle", digest: digest, days: days, extensions)
    }

    /// Replacements for the right certificate. Each has a different fault.
    private func unfit() throws -> [(String, SecCertificate)] {
        let authority = TrustCertificates.authority
        try made.make("stranger", days: 3000, authority)
        return [
            ("expired", try namesake(authority, days: 100)),
            ("constrained", try namesake(authority + ["nameConstraints=critical,permitted;DNS:example.com"])),
            ("for clients", try namesake(authority + ["extendedKeyUsage=clientAuth"])),
            ("no authority", try namesake(["basicConstraints=critical,CA:FALSE"])),
            ("unknown extension", try namesake(authority + ["1.2.3.4=critical,ASN1:NULL"])),
            ("weak digest", try namesake(authority, digest: "sha1")),
            ("a stranger's", try namesake(authority, by: "stranger")),
            ("without issuer", try namesake(authority, by: "middle")),
        ]
    }

    /// The order of the certificates does not matter. If one path is valid, the chain is trusted, and consists of that
    /// path.
    @Test func chain_isTrusted_ifOnePathIsFit() throws {
        let unfit = try unfit()
        let date = Date.inDays(200)
        for (reason, other) in unfit {
            #expect(try !Judgement([leaf, other], anchors: [root], server, date: date).isTrusted, "\(reason)")
            for certificates in [[leaf, other, middle], [leaf, middle, other]] {
                let judged = try Judgement(certificates, anchors: [root], server, date: date)
                #expect(judged.status == errSecSuccess, "\(reason)")
                #expect(judged.chain == [leaf, middle, root], "\(reason)")
                #expect(judged.result == .unspecified, "\(reason)")
            }
        }
        let all = try Judgement([leaf] + unfit.map(\.1) + [middle], anchors: [root], server, date: date)
        #expect(all.chain == [leaf, middle, root])
        let none = try Judgement([leaf] + unfit.map(\.1), anchors: [root], server, date: date)
        #expect(!none.isTrusted)
    }

    /// If every path has the same fault, the chain is refused.
    @Test func chain_isRefused_forWhatIsWrongOnEveryPath() throws {
        let other = try namesake(TrustCertificates.authority, days: 100)
        let certificates = [leaf, other, middle]
        let elsewhere = SecPolicyCreateSSL(true, "elsewhere.example.org" as CFString)
        #expect(
            try Judgement(certificates, anchors: [root], elsewhere, date: .inDays(200)).status
                == errSecHostNameMismatch)
        #expect(
            try Judgement(certificates, anchors: [root], server, date: .inDays(301)).status == errSecCertificateExpired)
        let stranger = try made.make("stranger", TrustCertificates.authority)
        #expect(try !Judgement(certificates + [root], anchors: [stranger], server).isTrusted)
    }

    /// The old key of an authority certifies its new one, under the same name. OpenSSL treats the old one as the
    /// issuer.
    @Test func authority_withANewKey_isFoundBelowItsOldOne() throws {
        let renewed = try made.make(
            "renewed", by: "root", subject: "/CN=root", days: 1000, TrustCertificates.authority)
        // Without an identifier of the issuer's key, only the name identifies the issuer.
        let below = try made.make(
            "below", by: "renewed",
            TrustCertificates.server + [TrustCertificates.host, "authorityKeyIdentifier=none"])
        let judged = try Judgement([below, renewed], anchors: [root], server)
        #expect(judged.status == errSecSuccess)
        #expect(judged.chain == [below, renewed, root])
    }

    /// If all paths fail, the error describes the path that leads to an anchor and is valid at the date.
    @Test func failure_isThatOfTheNearestPath() throws {
        let authority = TrustCertificates.authority
        try made.make("stranger", days: 3000, authority)
        let clients = try namesake(authority + ["extendedKeyUsage=clientAuth"])
        let expired = try namesake(authority, days: 100)
        let strangers = try namesake(authority, by: "stranger")
        for certificates in [[leaf, expired, clients, strangers], [leaf, strangers, clients, expired]] {
            let judged = try Judgement(certificates, anchors: [root], server, date: .inDays(200))
            #expect(judged.status == errSecInvalidExtendedKeyUsage)
            #expect(judged.chain == [leaf, clients, root])
        }
        let judged = try Judgement([leaf, strangers, expired], anchors: [root], server, date: .inDays(200))
        #expect(judged.status == errSecCertificateExpired)
        #expect(judged.chain == [leaf, expired, root])
    }

    /// Exceptions for the reported path apply the next time.
    @Test func exceptions_holdForThePathThatWasTold() throws {
        let clients = try namesake(TrustCertificates.authority + ["extendedKeyUsage=clientAuth"])
        let expired = try namesake(TrustCertificates.authority, days: 100)
        let certificates = [leaf, expired, clients]
        let refused = try Judgement(certificates, anchors: [root], server, date: .inDays(200))
        let exceptions = try #require(SecTrustCopyExceptions(refused.trust))
        let accepted = try Judgement(certificates, anchors: [root], server, date: .inDays(200)) {
            #expect(SecTrustSetExceptions($0, exceptions))
        }
        #expect(accepted.isTrusted)
        #expect(accepted.result == .proceed)
        #expect(accepted.chain == refused.chain)
    }

    /// Exceptions for one authority do not apply to another with the same name and key.
    @Test func exceptions_doNotHoldForANamesakeInTheSamePlace() throws {
        let (first, second) = (
            try namesake(TrustCertificates.authority, days: 100), try namesake(TrustCertificates.authority, days: 101)
        )
        let refused = try Judgement([leaf, first], anchors: [root], server, date: .inDays(200))
        let exceptions = try #require(SecTrustCopyExceptions(refused.trust))
        for (authority, isTrusted) in [(first, true), (second, false)] {
            let judged = try Judgement([leaf, authority], anchors: [root], server, date: .inDays(200)) {
                #expect(SecTrustSetExceptions($0, exceptions))
            }
            #expect(judged.isTrusted == isTrusted)
        }
    }

    /// A revoked leaf is refused, even if another path is valid.
    @Test func revokedLeaf_isRevokedOnEveryPath() throws {
        let other = try namesake(TrustCertificates.authority, days: 100)
        let response = try made.response(for: "leaf", by: "middle", isRevoked: true)
        for certificates in [[leaf, other, middle], [leaf, middle, other]] {
            let judged = try Judgement(certificates, anchors: [root], server) {
                #expect(SecTrustSetOCSPResponse($0, response as CFData) == errSecSuccess)
            }
            #expect(judged.status == errSecCertificateRevoked)
        }
    }

    // MARK: - Bounds

    /// Certificates that could all have issued each other, according to their names.
    private func heap(_ count: Int) throws -> (leaf: X509Certificate, heap: [X509Certificate]) {
        let library = try #require(LibcryptoX509.shared)
        let heap = try (0..<count).map { number in
            var certificate = MadeCertificate(subject: [.commonName("issuer")])
            certificate.serialNumber = MadeCertificate.der(0x02, [UInt8(number + 1)])
            return try #require(X509Certificate(library, certificate.data))
        }
        let leaf = MadeCertificate(subject: [.commonName("leaf")])
        return (try #require(X509Certificate(library, leaf.data)), heap)
    }

    /// Every path over some of them, in any order, occurs once, except the one that was already tried.
    @Test func paths_throughAFewCertificates_areAllOfThem() throws {
        for (count, expected) in [(0, 1), (1, 2), (2, 5), (3, 16)] {
            let (leaf, heap) = try heap(count + 1)
            let others = Array(heap.dropFirst())
            let paths = Array(
                CandidatePaths(from: leaf, over: others, to: [heap[0]], besides: [], within: TrustBudget()))
            #expect(paths.count == expected)
            #expect(Set(paths.map { $0.map(\.bytes) }).count == expected)
            for path in paths { #expect(Set(path.map(\.bytes)).count == path.count) }
            // The certificates identify a path that occurs again.
            for path in paths {
                let rest = Array(
                    CandidatePaths(from: leaf, over: others, to: [heap[0]], besides: path, within: TrustBudget()))
                #expect(rest.count == expected - 1)
            }
            // Duplicates, and certificates that are also anchors, add no paths.
            let again = CandidatePaths(
                from: leaf, over: others + others + heap + [leaf], to: [heap[0]], besides: [], within: TrustBudget())
            #expect(Array(again).count == expected)
            #expect(Array(CandidatePaths(from: leaf, over: others, to: [], besides: [], within: TrustBudget())).isEmpty)
        }
    }

    /// With many certificates, the number of paths stays within the limits. The shortest paths come first.
    @Test func paths_throughAHeapOfCertificates_areBounded() throws {
        let (leaf, heap) = try heap(120)
        let (anchors, others) = (Array(heap.prefix(3)), Array(heap.dropFirst(3)))
        let paths = Array(CandidatePaths(from: leaf, over: others, to: anchors, besides: [], within: TrustBudget()))
        #expect(paths.count == TrustBudget.Resource.paths.limit)
        for path in paths {
            #expect(path.first?.bytes == leaf.bytes)
            #expect(path.dropLast().allSatisfy { step in !anchors.contains { $0.bytes == step.bytes } })
            #expect(anchors.contains { $0.bytes == path.last?.bytes })
        }
        #expect(paths.map(\.count) == paths.map(\.count).sorted())
    }
}

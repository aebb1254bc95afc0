// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import TestSupport
import Testing

@testable import SecItemObjects

/// Evaluations of chains: which ones are trusted, and the errors for others.
@Suite(.enabled(if: trustProgramIsThere, "the program openssl is not there"))
struct TrustTests {
    private let made: TrustCertificates
    private let root: SecCertificate
    private let middle: SecCertificate
    private let leaf: SecCertificate

    init() throws {
        (made, root, middle, leaf) = try TrustCertificates.chain()
    }

    private func server(_ host: String?) -> SecPolicy { SecPolicyCreateSSL(true, host as CFString?) }

    // MARK: - Chains

    @Test func chain_toAnOwnAnchor_isTrusted() throws {
        for policy in [SecPolicyCreateBasicX509(), server(nil), server("host.example.org")] {
            let judged = try Judgement([leaf, middle], anchors: [root], policy)
            #expect(judged.isTrusted)
            #expect(judged.error == nil)
            #expect(judged.result == .unspecified)
            #expect(judged.chain == [leaf, middle, root])
            #expect(SecTrustGetCertificateCount(judged.trust) == 3)
            #expect(SecTrustGetCertificateAtIndex(judged.trust, 1) == middle)
            #expect(SecTrustGetCertificateAtIndex(judged.trust, 3) == nil)
            #expect(SecTrustGetCertificateAtIndex(judged.trust, -1) == nil)
        }
        // In any order, with unrelated certificates among them.
        let stranger = try made.make("stranger", TrustCertificates.authority)
        #expect(
            try Judgement([leaf, stranger, root, middle], anchors: [stranger, root]).chain == [leaf, middle, root])
    }

    @Test func anchor_canBeAuthorityInTheMiddle_orTheLeaf() throws {
        #expect(try Judgement([leaf], anchors: [middle]).chain == [leaf, middle])
        #expect(try Judgement([leaf, middle], anchors: [middle]).isTrusted)
        #expect(try Judgement([leaf], anchors: [leaf]).isTrusted)
        let own = try made.make("own", TrustCertificates.server + [TrustCertificates.host])
        let judged = try Judgement([own], anchors: [own], server("host.example.org"))
        #expect(judged.isTrusted)
        #expect(judged.chain == [own])
    }

    @Test func chain_withoutItsIssuer_cannotBeMade() throws {
        let judged = try Judgement([leaf], anchors: [root])
        #expect(judged.status == errSecCreateChainFailed)
        #expect(judged.result == .recoverableTrustFailure)
        #expect(judged.error?.domain == NSOSStatusErrorDomain)
        #expect(judged.error?.localizedDescription == "“leaf” certificate is not trusted")
        #expect((judged.error?.userInfo[NSUnderlyingErrorKey] as? NSError)?.code == Int(errSecCreateChainFailed))
    }

    @Test func root_thatIsNoAnchor_isNotTrusted() throws {
        let stranger = try made.make("stranger", TrustCertificates.authority)
        let judged = try Judgement([leaf, middle, root], anchors: [stranger])
        #expect(judged.status == errSecNotTrusted)
        #expect(judged.error?.localizedDescription == "“root” certificate is not trusted")
        // It is not trusted with the machine's own anchors either.
        #expect(try Judgement([leaf, middle, root], anchors: nil).status == errSecNotTrusted)
        #expect(try Judgement([root], anchors: nil).status == errSecNotTrusted)
        // Without any anchor.
        #expect(try !Judgement([leaf, middle, root], anchors: []).isTrusted)
        let only = try Judgement([leaf, middle, root], anchors: nil) { SecTrustSetAnchorCertificatesOnly($0, true) }
        #expect(!only.isTrusted)
    }

    /// The same name with another key: the issuer's name alone is not enough.
    @Test func namesake_ofTheRoot_isNotTheRoot() throws {
        let namesake = try made.make("namesake", subject: "/CN=root", TrustCertificates.authority)
        #expect(try !Judgement([leaf, middle], anchors: [namesake]).isTrusted)
        #expect(try Judgement([leaf, middle], anchors: [namesake, root]).isTrusted)
    }

    @Test func anchors_areTheCallersOnly_untilToldOtherwise() throws {
        var system: CFArray?
        #expect(SecTrustCopyAnchorCertificates(&system) == errSecSuccess)
        let authorities = try #require(system as? [SecCertificate])
        let trusted = try authorities.first { try Judgement([$0], anchors: nil).isTrusted }
        if let trusted {
            #expect(try !Judgement([trusted], anchors: [root]).isTrusted)
            let both = try Judgement([trusted], anchors: [root]) { SecTrustSetAnchorCertificatesOnly($0, false) }
            #expect(both.isTrusted)
            let again = try Judgement([trusted], anchors: [root]) { SecTrustSetAnchorCertificates($0, nil) }
            #expect(again.isTrusted)
        }
        let own = try Judgement([leaf, middle], anchors: [root]) { SecTrustSetAnchorCertificatesOnly($0, false) }
        #expect(own.isTrusted)
        var anchors: CFArray?
        #expect(SecTrustCopyCustomAnchorCertificates(own.trust, &anchors) == errSecSuccess)
        #expect(anchors as? [SecCertificate] == [root])
    }

    /// Every authority of the machine's bundle can be returned as an object, because a chain may end in it.
    @Test(.enabled(if: TrustTests.hasDebiansBundle, "Debian's bundle of authorities is not there or not in use"))
    func authorities_ofTheMachine_areAllThere() throws {
        let bundle = try String(contentsOfFile: Self.debiansBundle, encoding: .utf8)
        var system: CFArray?
        #expect(SecTrustCopyAnchorCertificates(&system) == errSecSuccess)
        #expect(system?.count == bundle.components(separatedBy: "-----BEGIN CERTIFICATE-----").count - 1)
    }

    private static let debiansBundle = "/etc/ssl/certs/ca-certificates.crt"

    private static var hasDebiansBundle: Bool {
        ProcessInfo.processInfo.environment["SSL_CERT_FILE"] == nil
            && FileManager.default.isReadableFile(atPath: debiansBundle)
    }

    // MARK: - What is wrong with a certificate

    @Test func date_outsideTheValidity_isExpired() throws {
        for days in [-1.0, 301, 1001, 3001] {
            let judged = try Judgement([leaf, middle], anchors: [root], date: .inDays(days))
            #expect(judged.status == errSecCertificateExpired, "\(days)")
            #expect(judged.error?.localizedDescription == "“leaf” certificate is expired", "\(days)")
        }
        #expect(try Judgement([leaf, middle], anchors: [root], date: .inDays(299)).isTrusted)
        // Dates that no certificate has.
        for seconds in [Double.nan, .infinity, -.infinity, .greatestFiniteMagnitude, -1e300] {
            let date = Date(timeIntervalSinceReferenceDate: seconds)
            #expect(try !Judgement([leaf, middle], anchors: [root], date: date).isTrusted, "\(seconds)")
        }
    }

    @Test func verifyTime_isWhatWasSet_orThePresent() throws {
        let judged = try Judgement([leaf], anchors: [root])
        let before = Date().timeIntervalSinceReferenceDate
        let time = SecTrustGetVerifyTime(judged.trust)
        #expect(time >= before && time <= Date().timeIntervalSinceReferenceDate)
        SecTrustSetVerifyDate(judged.trust, Date(timeIntervalSinceReferenceDate: 1000) as CFDate)
        #expect(SecTrustGetVerifyTime(judged.trust) == 1000)
    }

    @Test func leaf_isFoundByItsAlternativeNames() throws {
        let table: [(names: String, fitting: [String], others: [String])] = [
            (
                "DNS:a.example.org,DNS:b.example.org", ["a.example.org", "B.Example.ORG", "a.example.org."],
                ["c.example.org", "example.org", ".example.org", "x.a.example.org", "", "common.example.org", "."]
            ),
            (
                "DNS:*.example.org", ["a.example.org", "A.EXAMPLE.ORG"],
                ["example.org", "a.b.example.org", "*.org", ".example.org", "a.example.org.evil.com"]
            ),
            ("DNS:f*.example.org", [], ["foo.example.org", "f.example.org"]),
            ("DNS:*.org", [], ["example.org", "a.example.org"]),
            ("DNS:a.*.org", [], ["a.example.org"]),
            ("IP:192.0.2.1,IP:2001:db8::1", ["192.0.2.1", "2001:DB8::1", "2001:db8:0::1"], ["192.0.2.2", "::1"]),
            ("DNS:192.0.2.1", [], ["192.0.2.1"]),
        ]
        for row in table {
            let names = TrustCertificates.server + ["subjectAltName=" + row.names]
            let leaf = try made.make("named", by: "middle", subject: "/CN=common.example.org", names)
            for host in row.fitting + row.others {
                let expected = row.fitting.contains(host) ? errSecSuccess : errSecHostNameMismatch
                let judged = try Judgement([leaf, middle], anchors: [root], server(host))
                #expect(judged.status == expected, "\(host) in \(row.names)")
            }
        }
    }

    @Test func commonName_isNoHostName() throws {
        let leaf = try made.make("host.example.org", by: "middle", TrustCertificates.server)
        let judged = try Judgement([leaf, middle], anchors: [root], server("host.example.org"))
        #expect(judged.status == errSecHostNameMismatch)
        #expect(
            judged.error?.localizedDescription == "“host.example.org” certificate name does not match input")
    }

    @Test func purpose_thatIsAnother_isRefused() throws {
        let table: [(purposes: [String], days: Int, server: OSStatus, client: OSStatus)] = [
            (["extendedKeyUsage=serverAuth"], 300, errSecSuccess, errSecInvalidExtendedKeyUsage),
            (["extendedKeyUsage=clientAuth"], 300, errSecInvalidExtendedKeyUsage, errSecSuccess),
            (["extendedKeyUsage=serverAuth,clientAuth"], 300, errSecSuccess, errSecSuccess),
            (["extendedKeyUsage=emailProtection"], 300, errSecInvalidExtendedKeyUsage, errSecInvalidExtendedKeyUsage),
            // A certificate for any purpose is valid for servers, but a new one must name the purpose.
            (["extendedKeyUsage=anyExtendedKeyUsage"], 300, errSecInvalidExtendedKeyUsage, errSecSuccess),
            ([], 300, errSecInvalidExtendedKeyUsage, errSecSuccess),
            (["extendedKeyUsage=serverAuth"], 824, errSecSuccess, errSecInvalidExtendedKeyUsage),
            (
                ["extendedKeyUsage=serverAuth,clientAuth"], 827, errSecCertificateValidityPeriodTooLong, errSecSuccess
            ),
        ]
        for row in table {
            let leaf = try made.make(
                "leaf2", by: "middle", days: row.days, row.purposes + ["basicConstraints=CA:FALSE"])
            #expect(try Judgement([leaf, middle], anchors: [root], server(nil)).status == row.server, "\(row)")
            let client = SecPolicyCreateSSL(false, nil)
            #expect(try Judgement([leaf, middle], anchors: [root], client).status == row.client, "\(row)")
            #expect(try Judgement([leaf, middle], anchors: [root]).isTrusted, "\(row)")
        }
    }

    /// The chain must satisfy each of several policies, in any order.
    @Test func policies_areAllConsulted() throws {
        let policies = [
            SecPolicyCreateBasicX509(), server(nil), server("host.example.org"), server("other.example.org"),
            SecPolicyCreateSSL(false, nil), try #require(SecPolicyCreateWithProperties(kSecPolicyAppleSMIME, nil)),
            try #require(SecPolicyCreateWithProperties(kSecPolicyAppleCodeSigning, nil)),
            try #require(SecPolicyCreateRevocation(kSecRevocationRequirePositiveResponse)),
        ]
        let alone = try policies.map { try Judgement([leaf, middle], anchors: [root], $0).isTrusted }
        #expect(alone == [true, true, true, false, false, false, false, false])
        for (first, isFirst) in zip(policies, alone) {
            for (second, isSecond) in zip(policies, alone) {
                let both = try Judgement([leaf, middle], anchors: [root]) {
                    #expect(SecTrustSetPolicies($0, [first, second] as CFArray) == errSecSuccess)
                }
                #expect(both.isTrusted == (isFirst && isSecond), "\(first), \(second)")
            }
        }
    }

    /// The rules beyond OpenSSL's apply to every chain.
    @Test func leaf_withoutASubject_isRefused_unlessItsNamesAreCritical() throws {
        for (names, status) in [
            (TrustCertificates.host, errSecInvalidSubjectName),
            ("subjectAltName=critical,DNS:host.example.org", errSecSuccess),
        ] {
            let nameless = try made.make("nameless", by: "middle", subject: "/", TrustCertificates.server + [names])
            #expect(try Judgement([nameless, middle], anchors: [root]).status == status)
            #expect(try Judgement([nameless, middle], anchors: [root], server("host.example.org")).status == status)
        }
    }

    @Test func authority_forAnotherPurpose_isRefused() throws {
        let mail = try made.make("mail", by: "root", TrustCertificates.authority + ["extendedKeyUsage=emailProtection"])
        let leaf = try made.make("leaf2", by: "mail", TrustCertificates.server)
        #expect(try Judgement([leaf, mail], anchors: [root], server(nil)).status == errSecInvalidExtendedKeyUsage)
        #expect(try Judgement([leaf, mail], anchors: [root]).isTrusted)
    }

    @Test func keys_thatAreShort_areRefused() throws {
        let table: [(key: [String], basic: OSStatus, server: OSStatus)] = [
            (["rsa:512"], errSecUnsupportedKeySize, errSecUnsupportedKeySize),
            (["rsa:1024"], errSecSuccess, errSecUnsupportedKeySize),
            (["rsa:2048"], errSecSuccess, errSecSuccess),
            (["ec", "-pkeyopt", "ec_paramgen_curve:secp224r1"], errSecSuccess, errSecUnsupportedKeySize),
            (["ec", "-pkeyopt", "ec_paramgen_curve:P-384"], errSecSuccess, errSecSuccess),
        ]
        for row in table {
            let leaf = try made.make("short", by: "middle", key: row.key, TrustCertificates.server)
            #expect(try Judgement([leaf, middle], anchors: [root]).status == row.basic, "\(row)")
            let judged = try Judgement([leaf, middle], anchors: [root], server(nil))
            #expect(judged.status == row.server, "\(row)")
            // The rules for servers apply in addition to those of another policy.
            let both = try Judgement([leaf, middle], anchors: [root]) {
                SecTrustSetPolicies($0, [SecPolicyCreateBasicX509(), server(nil)] as CFArray)
            }
            #expect(both.status == row.server, "\(row)")
            // The same holds for an authority's key.
            let authority = try made.make("authority", by: "root", key: row.key, TrustCertificates.authority)
            let below = try made.make("below", by: "authority", TrustCertificates.server)
            if row.key != ["rsa:512"] {
                #expect(try Judgement([below, authority], anchors: [root], server(nil)).status == row.server, "\(row)")
            }
        }
    }

    @Test(arguments: ["sha1", "md5"])
    func signature_withAnOldDigest_isRefused(_ digest: String) throws {
        // ECDSA is never used with MD5.
        let rsa = ["rsa:2048"]
        let middle = try made.make("rsa", by: "root", key: rsa, TrustCertificates.authority)
        let leaf = try made.make("old", by: "rsa", digest: digest, TrustCertificates.server)
        for policy in [SecPolicyCreateBasicX509(), server(nil)] {
            let judged = try Judgement([leaf, middle], anchors: [root], policy)
            #expect(judged.status == errSecInvalidDigestAlgorithm)
            #expect(judged.result == .fatalTrustFailure)
        }
        // The digest of a root's own signature does not matter.
        let oldRoot = try made.make("oldRoot", key: rsa, digest: digest, TrustCertificates.authority)
        let below = try made.make("below", by: "oldRoot", TrustCertificates.server)
        #expect(try Judgement([below], anchors: [oldRoot], server(nil)).isTrusted)
    }

    @Test func authority_thatIsNone_isRefused() throws {
        for (name, extensions) in [("false", ["basicConstraints=CA:FALSE"]), ("none", [])] {
            try made.make(name, by: "root", extensions)
            let leaf = try made.make("below", by: name, TrustCertificates.server)
            let judged = try Judgement([leaf, made.certificate(name)], anchors: [root])
            #expect(judged.status == errSecNoBasicConstraintsCA, "\(name)")
            #expect(judged.error?.localizedDescription == "“\(name)” certificate is not standards compliant")
        }
    }

    /// A pinned certificate of a host is not an authority for others, whatever its key may sign.
    @Test func pinnedCertificate_isNoAuthority() throws {
        for (name, extensions) in [("usage", ["keyUsage=critical,keyCertSign,digitalSignature"]), ("silent", [])] {
            let pinned = try made.make(name, extensions + [TrustCertificates.host])
            let below = try made.make(
                "bank", by: name, TrustCertificates.server + ["subjectAltName=DNS:bank.example.org"])
            for policy in [server("bank.example.org"), SecPolicyCreateBasicX509()] {
                #expect(try !Judgement([below], anchors: [pinned], policy).isTrusted, "\(name)")
                #expect(try !Judgement([below, pinned], anchors: [pinned], policy).isTrusted, "\(name)")
            }
        }
    }

    @Test func path_longerThanPermitted_isRefused() throws {
        let last = try made.make(
            "last", by: "root", ["basicConstraints=critical,CA:TRUE,pathlen:0", "keyUsage=keyCertSign"])
        let below = try made.make("below", by: "last", TrustCertificates.authority)
        let leaf = try made.make("leaf2", by: "below", TrustCertificates.server)
        #expect(try Judgement([leaf, below, last], anchors: [root]).status == errSecPathLengthConstraintExceeded)
        let direct = try made.make("leaf3", by: "last", TrustCertificates.server)
        #expect(try Judgement([direct, last], anchors: [root]).isTrusted)
    }

    @Test func names_outsideTheConstraints_areRefused() throws {
        let limited = try made.make(
            "limited", by: "root",
            TrustCertificates.authority + [
                "nameConstraints=critical,permitted;DNS:example.org,excluded;DNS:no.example.org"
            ]
        )
        for (name, status) in [
            ("a.example.org", errSecSuccess), ("a.example.com", errSecInvalidName),
            ("a.no.example.org", errSecInvalidName),
        ] {
            let leaf = try made.make("leaf2", by: "limited", TrustCertificates.server + ["subjectAltName=DNS:\(name)"])
            #expect(try Judgement([leaf, limited], anchors: [root], server(name)).status == status, "\(name)")
        }
    }

    @Test func criticalExtension_thatNobodyKnows_isRefused() throws {
        let leaf = try made.make("leaf2", by: "middle", TrustCertificates.server + ["1.2.3.4=critical,DER:0500"])
        #expect(try Judgement([leaf, middle], anchors: [root]).status == errSecUnknownCriticalExtensionFlag)
    }

    /// Of several failures, the error reports the most serious one. The underlying error has all of them.
    @Test func failures_areOrdered_byTheirKind() throws {
        let date = Date.inDays(5000)
        let both = try Judgement([leaf], anchors: [root], server("other.example.org"), date: date)
        #expect(both.status == errSecCreateChainFailed)
        let name = try Judgement([leaf, middle], anchors: [root], server("other.example.org"), date: date)
        #expect(name.status == errSecHostNameMismatch)
        let details = (name.error?.userInfo[NSUnderlyingErrorKey] as? NSError)?.localizedDescription ?? ""
        for part in ["“leaf”", "“middle”", "“root”", "the host", "its validity"] { #expect(details.contains(part)) }
    }

    // MARK: - Revocation

    @Test func stapledResponse_isBelieved_ifTheIssuerSignedIt() throws {
        let revocation = try #require(SecPolicyCreateRevocation(kSecRevocationRequirePositiveResponse))
        func judged(_ response: Data?, demanded: Bool) throws -> Judgement {
            try Judgement([leaf, middle], anchors: [root]) { trust in
                if demanded { SecTrustSetPolicies(trust, [SecPolicyCreateBasicX509(), revocation] as CFArray) }
                #expect(SecTrustSetOCSPResponse(trust, response as CFData?) == errSecSuccess)
            }
        }
        let good = try made.response(for: "leaf", by: "middle", isRevoked: false)
        #expect(try judged(nil, demanded: true).status == errSecIncompleteCertRevocationCheck)
        #expect(try judged(good, demanded: true).isTrusted)
        let checked = try judged(good, demanded: false)
        let result = try #require(SecTrustCopyResult(checked.trust) as? [String: Any])
        #expect(result[kSecTrustRevocationChecked as String] as? Bool == true)

        let revoked = try made.response(for: "leaf", by: "middle", isRevoked: true)
        for demanded in [true, false] {
            let judged = try judged(revoked, demanded: demanded)
            #expect(judged.status == errSecCertificateRevoked)
            #expect(judged.result == .fatalTrustFailure)
        }
        // An exception for another failure does not help a revoked leaf.
        let named = try Judgement([leaf, middle], anchors: [root], server("other.example.org")) {
            SecTrustSetOCSPResponse($0, revoked as CFData)
        }
        #expect(named.status == errSecCertificateRevoked)
        #expect(SecTrustSetExceptions(named.trust, SecTrustCopyExceptions(named.trust)))
        #expect(named.result == .fatalTrustFailure)
        // The response is valid for a week.
        let later = try Judgement([leaf, middle], anchors: [root], date: .inDays(30)) { trust in
            SecTrustSetPolicies(trust, [SecPolicyCreateBasicX509(), revocation] as CFArray)
            SecTrustSetOCSPResponse(trust, [good] as CFArray)
        }
        #expect(later.status == errSecIncompleteCertRevocationCheck)

        try made.make("stranger", TrustCertificates.authority)
        let forged = try made.response(for: "leaf", by: "middle", signer: "stranger", isRevoked: false)
        #expect(try judged(forged, demanded: true).status == errSecIncompleteCertRevocationCheck)
        // A responder that the issuer has not authorised, and then one that it has.
        try made.make("clerk", by: "middle", TrustCertificates.server)
        let clerks = try made.response(for: "leaf", by: "middle", signer: "clerk", isRevoked: false)
        #expect(try judged(clerks, demanded: true).status == errSecIncompleteCertRevocationCheck)
        try made.make("speaker", by: "middle", ["extendedKeyUsage=OCSPSigning"])
        let speakers = try made.response(for: "leaf", by: "middle", signer: "speaker", isRevoked: false)
        #expect(try judged(speakers, demanded: true).isTrusted)
        for bytes in [Data(), Data([0x30]), Data(count: 100), good.dropLast(), speakers + [0]] {
            #expect(try [errSecIncompleteCertRevocationCheck, 0].contains(judged(bytes, demanded: true).status))
        }
    }

    // MARK: - Exceptions, options

    @Test func exceptions_permitWhatWasWrong_withTheseCertificates() throws {
        let policy = server("other.example.org")
        let failed = try Judgement([leaf], anchors: [root], policy)
        let exceptions = try #require(SecTrustCopyExceptions(failed.trust))
        #expect(SecTrustSetExceptions(failed.trust, exceptions))
        #expect(SecTrustEvaluateWithError(failed.trust, nil))
        #expect(failed.result == .proceed)
        // Copied again, the exceptions are complete.
        let again = try #require(SecTrustCopyExceptions(failed.trust))
        #expect(SecTrustSetExceptions(failed.trust, again))
        #expect(failed.result == .proceed)
        // Failures that did not exist then are not excepted.
        SecTrustSetVerifyDate(failed.trust, Date.inDays(5000) as CFDate)
        #expect(failed.result == .recoverableTrustFailure)
        SecTrustSetVerifyDate(failed.trust, Date() as CFDate)
        #expect(SecTrustSetExceptions(failed.trust, nil))
        #expect(!SecTrustEvaluateWithError(failed.trust, nil))
        // They do not apply to another leaf. Bytes that are not exceptions do not apply either.
        let other = try made.make("other", by: "middle", TrustCertificates.server)
        let stranger = try Judgement([other], anchors: [root], policy)
        #expect(!SecTrustSetExceptions(stranger.trust, exceptions))
        #expect(!SecTrustEvaluateWithError(stranger.trust, nil))
        for junk in [Data(), Data("[]".utf8), Data(repeating: 0x5b, count: 1 << 20), Data(count: 2 << 20)] {
            #expect(!SecTrustSetExceptions(failed.trust, junk as CFData))
        }
    }

    /// As on Apple's platforms, an exception permits any wrong name, not one particular name.
    @Test func exceptions_holdForEveryHost_onlyWhereANameDidNotMatch() throws {
        let named = try Judgement([leaf, middle], anchors: [], server("host.example.org"))
        let other = try Judgement([leaf, middle], anchors: [], server("other.example.org"))
        let third = try Judgement([leaf, middle], anchors: [], server("third.example.org"))
        let ofAnchor = try #require(SecTrustCopyExceptions(named.trust))
        let ofName = try #require(SecTrustCopyExceptions(other.trust))
        for judged in [other, third] {
            #expect(SecTrustSetExceptions(judged.trust, ofAnchor))
            #expect(judged.result == .recoverableTrustFailure)
            #expect(SecTrustSetExceptions(judged.trust, ofName))
            #expect(judged.result == .proceed)
        }
    }

    @Test func exceptions_doNotHelp_whatIsFatal() throws {
        let old = try made.make("old", by: "middle", digest: "sha1", TrustCertificates.server)
        let failed = try Judgement([old, middle], anchors: [root])
        #expect(SecTrustSetExceptions(failed.trust, SecTrustCopyExceptions(failed.trust)))
        #expect(failed.result == .fatalTrustFailure)
        // A wrong signature cannot have an exception either.
        var bytes = try #require(SecCertificateCopyData(leaf) as Data?)
        bytes[bytes.count - 1] ^= 1
        let forged = try #require(SecCertificateCreateWithData(nil, bytes as CFData))
        let judged = try Judgement([forged, middle], anchors: [root])
        #expect(SecTrustSetExceptions(judged.trust, SecTrustCopyExceptions(judged.trust)))
        #expect(!SecTrustEvaluateWithError(judged.trust, nil))
    }

    /// An exception for a root does not apply to a leaf that is the same certificate.
    @Test func exceptions_holdInTheirPlace() throws {
        let failed = try Judgement([leaf, middle, root], anchors: [])
        let exceptions = try #require(SecTrustCopyExceptions(failed.trust))
        #expect(SecTrustSetExceptions(failed.trust, exceptions))
        #expect(failed.result == .proceed)
        let alone = try Judgement([root], anchors: [])
        #expect(!SecTrustSetExceptions(alone.trust, exceptions))
        #expect(!SecTrustEvaluateWithError(alone.trust, nil))
    }

    @Test func options_letExpiredOnesPass() throws {
        func status(_ options: SecTrustOptionFlags, days: Double) throws -> OSStatus {
            try Judgement([leaf, middle], anchors: [root], date: .inDays(days)) { SecTrustSetOptions($0, options) }
                .status
        }
        #expect(try status(.allowExpired, days: 1500) == errSecSuccess)
        #expect(try status(.allowExpired, days: 3500) == errSecCertificateExpired)
        #expect(try status([.allowExpired, .allowExpiredRoot], days: 3500) == errSecSuccess)
        #expect(try status(.allowExpiredRoot, days: 1500) == errSecCertificateExpired)
    }

    /// A chain that ends with a self-signed certificate passes. A chain that ends before it does not.
    @Test func options_letSelfSignedOnesBeAnchors() throws {
        func status(_ chain: [SecCertificate], _ options: SecTrustOptionFlags, days: Double = 1) throws -> OSStatus {
            try Judgement(chain, anchors: [], date: .inDays(days)) { SecTrustSetOptions($0, options) }.status
        }
        #expect(try status([leaf, middle, root], []) == errSecNotTrusted)
        #expect(try status([leaf, middle, root], .implicitAnchors) == errSecSuccess)
        #expect(try status([leaf, middle, root], .implicitAnchors, days: 1500) == errSecCertificateExpired)
        #expect(try status([leaf, middle], .implicitAnchors) != errSecSuccess)
        #expect(try status([leaf], .implicitAnchors) != errSecSuccess)
    }

    // MARK: - Agreement

    /// Every kind of fault with every anchor and date: the basic policy and `openssl verify` agree.
    @Test func basicPolicy_agreesWithOpenSSLsVerify() throws {
        let authority = TrustCertificates.authority
        let faults: [(name: String, digest: String, key: [String]?, middle: [String], leaf: [String])] = [
            ("none", "sha256", nil, authority, []),
            ("sha1", "sha1", nil, authority, []),
            ("sha384", "sha384", nil, authority, []),
            ("rsa512", "sha256", ["rsa:512"], authority, []),
            ("rsa1024", "sha256", ["rsa:1024"], authority, []),
            ("ed25519", "sha256", ["ed25519"], authority, []),
            ("noAuthority", "sha256", nil, [], []),
            ("falseAuthority", "sha256", nil, ["basicConstraints=CA:FALSE"], []),
            ("noCertSign", "sha256", nil, ["basicConstraints=CA:TRUE", "keyUsage=digitalSignature"], []),
            ("pathlen", "sha256", nil, ["basicConstraints=CA:TRUE,pathlen:0"], []),
            (
                "names", "sha256", nil, authority + ["nameConstraints=permitted;DNS:example.org"],
                ["subjectAltName=DNS:a.example.com"]
            ),
            ("critical", "sha256", nil, authority, ["1.2.3.4=critical,DER:0500"]),
            ("criticalMiddle", "sha256", nil, authority + ["1.2.3.4=critical,DER:0500"], []),
            ("policies", "sha256", nil, authority + ["policyConstraints=requireExplicitPolicy:0"], []),
            ("badPolicies", "sha256", nil, authority, ["certificatePolicies=DER:0500"]),
            ("leafAuthority", "sha256", nil, authority, authority),
        ]
        var certificates = ["root": root, "stranger": try made.make("stranger", authority)]
        for fault in faults {
            let (middle, leaf) = ("m-" + fault.name, "l-" + fault.name)
            certificates[middle] = try made.make(middle, by: "root", days: 100, fault.middle)
            certificates[leaf] = try made.make(
                leaf, by: middle, key: fault.key, digest: fault.digest, days: 50, fault.leaf)
        }
        let names = faults.map(\.name)
        let (middles, leaves) = (names.map { "m-" + $0 }, names.map { "l-" + $0 })
        var agreed = [true: 0, false: 0]
        for anchors in [["root"], ["stranger"], middles, leaves] {
            for (others, days) in [
                (middles, 1.0), ([], 1), (middles + ["root"], 1), (middles, 70), (middles, 200), (middles, -2),
            ] {
                let date = Date.inDays(days)
                let expected = try made.verified(leaves, with: others, anchors: anchors, date: date)
                for leaf in leaves {
                    let chain = ([leaf] + others).compactMap { certificates[$0] }
                    let judged = try Judgement(chain, anchors: anchors.compactMap { certificates[$0] }, date: date)
                    #expect(
                        judged.isTrusted == expected.contains(leaf),
                        "\(leaf), anchors \(anchors), others \(others), day \(days): \(judged.status)")
                    if judged.isTrusted == expected.contains(leaf) { agreed[judged.isTrusted, default: 0] += 1 }
                }
            }
        }
        // There are cases of either verdict. A verifier that always gave the same verdict would not agree.
        #expect((agreed[true] ?? 0) + (agreed[false] ?? 0) == faults.count * 4 * 6)
        #expect(agreed.values.allSatisfy { $0 > 50 }, "\(agreed)")
    }

    // MARK: - Junk

    /// If any bit of a leaf or an authority is changed, the chain is never trusted.
    @Test func changedCertificates_areNeverTrusted() throws {
        for (index, whole) in [leaf, middle].enumerated() {
            let bytes = SecCertificateCopyData(whole) as Data
            for position in bytes.indices {
                var changed = bytes
                changed[position] ^= 1 << UInt8(position % 8)
                guard let certificate = SecCertificateCreateWithData(nil, changed as CFData) else { continue }
                let chain = index == 0 ? [certificate, middle] : [leaf, certificate]
                #expect(try !Judgement(chain, anchors: [root]).isTrusted, "byte \(position) of \(index)")
            }
        }
    }

    @Test func certificates_thatNobodySigned_areJudged() throws {
        let certificate = try #require(SecCertificateCreateWithData(nil, MadeCertificate().data as CFData))
        #expect(try !Judgement([certificate], anchors: [root]).isTrusted)
        #expect(try !Judgement([leaf, certificate], anchors: [certificate]).isTrusted)
        #expect(try Judgement([leaf, certificate, middle], anchors: [certificate, root]).isTrusted)
    }

    @Test func tooMuch_isRefused() throws {
        var trust: SecTrust?
        let many = Array(repeating: middle, count: 200)
        #expect(SecTrustCreateWithCertificates(many as CFArray, nil, &trust) == errSecDataTooLarge)
        #expect(trust == nil)
        #expect(SecCertificateCreateWithData(nil, largeCertificate as CFData) == nil)
        let judged = try Judgement([leaf] + Array(repeating: middle, count: 127), anchors: [root])
        #expect(judged.isTrusted)
        let anchors = Array(repeating: root, count: 5000)
        #expect(SecTrustSetAnchorCertificates(judged.trust, anchors as CFArray) == errSecDataTooLarge)
        let responses = Array(repeating: Data(), count: 17)
        #expect(SecTrustSetOCSPResponse(judged.trust, responses as CFArray) == errSecDataTooLarge)
    }

    @Test func wrongObjects_areRefused() throws {
        var trust: SecTrust?
        for wrong: AnyObject in [
            NSArray(), [leaf, "text"] as NSArray, "text" as NSString, SecPolicyCreateBasicX509(),
        ] as [AnyObject] {
            #expect(SecTrustCreateWithCertificates(wrong, nil, &trust) == errSecParam)
        }
        for wrong in [NSArray(), [leaf] as NSArray, leaf] as [AnyObject] {
            #expect(SecTrustCreateWithCertificates(leaf, wrong, &trust) == errSecParam)
        }
        #expect(trust == nil)
        #expect(SecTrustCreateWithCertificates(leaf, nil, &trust) == errSecSuccess)
        let made = try #require(trust)
        #expect(SecTrustSetPolicies(made, [] as CFArray) == errSecParam)
        #expect(SecTrustSetPolicies(made, leaf) == errSecParam)
        #expect(SecTrustSetAnchorCertificates(made, ["text"] as CFArray) == errSecParam)
        #expect(SecTrustSetOCSPResponse(made, "text" as CFString) == errSecParam)
        var policies: CFArray?
        #expect(SecTrustCopyPolicies(made, &policies) == errSecSuccess)
        #expect(policies as? [SecPolicy] == [SecPolicyCreateBasicX509()])
    }

    // MARK: - Threads, queues

    @Test func evaluations_fromManyThreads_agree() throws {
        let trust = try Judgement([leaf, middle], anchors: [root]).trust
        let wrong = Shared(0)
        let workers = (0..<8).map { index in
            Worker {
                for round in 0..<50 {
                    if index == 0 {
                        SecTrustSetPolicies(trust, round % 2 == 0 ? serverPolicy : SecPolicyCreateBasicX509())
                    }
                    let isTrusted = SecTrustEvaluateWithError(trust, nil)
                    let chain = SecTrustCopyCertificateChain(trust) as? [SecCertificate]
                    if !isTrusted || chain?.count != 3 { wrong.change { $0 += 1 } }
                }
            }
        }
        for worker in workers { worker.join() }
        #expect(wrong.value == 0)
    }

    @Test func asynchronousForms_sayTheSame() async throws {
        let queue = DispatchQueue(label: "trust")
        for anchors in [[root], []] {
            let trust = try Judgement([leaf, middle], anchors: anchors).trust
            let isTrusted = anchors == [root]
            let first = await withCheckedContinuation { continuation in
                #expect(
                    SecTrustEvaluateAsyncWithError(trust, queue) { _, isTrusted, error in
                        continuation.resume(returning: (isTrusted, error?.code))
                    } == errSecSuccess)
            }
            #expect(first.0 == isTrusted)
            #expect(first.1 == (isTrusted ? nil : Int(errSecCreateChainFailed)))
            let second = await withCheckedContinuation { continuation in
                SecTrustEvaluateAsync(trust, queue) { continuation.resume(returning: $1) }
            }
            #expect(second == (isTrusted ? .unspecified : .recoverableTrustFailure))
        }
    }

    // MARK: - What is told

    @Test func results_areTold() throws {
        let judged = try Judgement([leaf, middle], anchors: [root], server("other.example.org"))
        let result = try #require(SecTrustCopyResult(judged.trust) as? [String: Any])
        #expect(
            result[kSecTrustResultValue as String] as? UInt32 == SecTrustResultType.recoverableTrustFailure.rawValue)
        #expect(result[kSecTrustEvaluationDate as String] is Date)
        #expect(result[kSecTrustRevocationChecked as String] == nil)
        let properties = try #require(SecTrustCopyProperties(judged.trust) as? [[String: String]])
        #expect(properties.map { $0[kSecPropertyTypeTitle as String] } == ["leaf", "middle", "root"])
        #expect(properties.map { $0[kSecPropertyTypeError as String] != nil } == [true, false, false])
        let key = try #require(SecTrustCopyKey(judged.trust))
        #expect(key == SecCertificateCopyKey(leaf))
        #expect(SecTrustCopyPublicKey(judged.trust) == key)
        #expect(CFGetTypeID(judged.trust) == SecTrustGetTypeID())
        var allowed: DarwinBoolean = false
        #expect(SecTrustGetNetworkFetchAllowed(judged.trust, &allowed) == errSecSuccess)
        #expect(allowed == true)
        SecTrustSetNetworkFetchAllowed(judged.trust, false)
        SecTrustGetNetworkFetchAllowed(judged.trust, &allowed)
        #expect(allowed == false)
    }

    /// The result is kept until something on which it depends changes.
    @Test func outcome_isKept_untilSomethingChanges() throws {
        let trust = try Judgement([leaf, middle], anchors: [root], server("host.example.org")).trust
        func date() -> Date? {
            (SecTrustCopyResult(trust) as? [String: Any])?[kSecTrustEvaluationDate as String] as? Date
        }
        let changes: [() -> OSStatus] = [
            { SecTrustSetAnchorCertificates(trust, [middle] as CFArray) },
            { SecTrustSetAnchorCertificatesOnly(trust, false) },
            { SecTrustSetPolicies(trust, SecPolicyCreateBasicX509()) },
        ]
        for change in changes {
            let before = try #require(date())
            #expect(date() == before)
            #expect(change() == errSecSuccess)
            #expect(date() != before)
        }
    }

    @Test func withoutOpenSSL_nothingIsTrusted() {
        var request = TrustRequest(certificates: [root], policies: [SecPolicyCreateBasicX509()])
        request.anchors = [root]
        request.usesSystemAnchors = false
        let trust = SecTrust(request, library: nil)
        var error: CFError?
        #expect(!SecTrustEvaluateWithError(trust, &error))
        #expect(error?.code == Int(errSecUnimplemented))
        var result = SecTrustResultType.proceed
        #expect(SecTrustEvaluate(trust, &result) == errSecUnimplemented)
        #expect(result == .invalid)
        #expect(SecTrustCopyCertificateChain(trust) == nil)
        #expect(SecTrustCopyResult(trust) == nil)
        #expect(SecTrustCopyExceptions(trust) == nil)
        #expect(SecTrustGetCertificateCount(trust) == 1)
        #expect(SecTrustCopyKey(trust) != nil)
    }
}

private var serverPolicy: SecPolicy { SecPolicyCreateSSL(true, "host.example.org" as CFString) }

/// A certificate above 1 MiB: `MadeCertificate` with a serial number of that size.
private var largeCertificate: Data {
    func der(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        [tag, 0x83] + [16, 8, 0].map { UInt8(truncatingIfNeeded: content.count >> $0) } + content
    }
    func content(_ bytes: [UInt8]) -> (content: [UInt8], rest: [UInt8]) {
        let lengthBytes = bytes[1] < 0x80 ? 0 : Int(bytes[1] & 0x7f)
        let header = 2 + lengthBytes
        let length = lengthBytes == 0 ? Int(bytes[1]) : bytes[2..<header].reduce(0) { $0 << 8 | Int($1) }
        return (Array(bytes[header..<header + length]), Array(bytes[(header + length)...]))
    }
    let outer = content(Array(MadeCertificate().data)).content
    let (signed, rest) = content(outer)
    let version = Array(signed.prefix(5))
    let number = der(0x02, [1] + [UInt8](repeating: 0, count: 1 << 20))
    return Data(der(0x30, der(0x30, version + number + signed.dropFirst(8)) + rest))
}

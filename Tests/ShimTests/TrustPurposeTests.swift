// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

/// The purposes and names that each policy requires of a certificate.
@Suite(.enabled(if: trustProgramIsThere, "OpenSSL is not there"))
struct TrustPurposeTests {
    private let made: TrustCertificates
    private let root: SecCertificate
    private let middle: SecCertificate

    init() throws {
        (made, root, middle, _) = try TrustCertificates.chain()
    }

    /// A certificate without purposes is valid for e-mail, as for other uses, but not for signing code or times. For
    /// those, it must name the purpose; "any purpose" is not enough.
    @Test func purpose_isWhatThePolicyAsksFor() throws {
        let policies: [(CFString, Set<String?>)] = [
            (kSecPolicyAppleX509Basic, [nil, "anyExtendedKeyUsage", "emailProtection", "codeSigning", "timeStamping"]),
            (kSecPolicyAppleSMIME, [nil, "anyExtendedKeyUsage", "emailProtection"]),
            (kSecPolicyAppleCodeSigning, ["codeSigning"]),
            (kSecPolicyAppleTimeStamping, ["timeStamping"]),
        ]
        for purpose in [nil, "anyExtendedKeyUsage", "emailProtection", "codeSigning", "timeStamping"] {
            let extensions = purpose.map { ["extendedKeyUsage=\($0 == "timeStamping" ? "critical," : "")\($0)"] } ?? []
            let leaf = try made.make(
                "for", by: "middle", ["basicConstraints=CA:FALSE", "keyUsage=digitalSignature"] + extensions)
            for (identifier, fit) in policies {
                let policy = try #require(SecPolicyCreateWithProperties(identifier, nil))
                let judged = try Judgement([leaf, middle], anchors: [root], policy)
                let status = fit.contains(purpose) ? errSecSuccess : errSecInvalidExtendedKeyUsage
                #expect(judged.status == status, "\(purpose ?? "none"), \(identifier)")
            }
        }
    }

    /// A certificate for time stamps names no other purpose, known or not.
    @Test func purpose_ofTimeStamps_isTheOnlyOne() throws {
        let policy = try #require(SecPolicyCreateWithProperties(kSecPolicyAppleTimeStamping, nil))
        for (purposes, isFit) in [
            ("timeStamping", true), ("critical,timeStamping", true), ("timeStamping,codeSigning", false),
            ("timeStamping,anyExtendedKeyUsage", false), ("critical,timeStamping,1.2.3.4", false),
            ("timeStamping,timeStamping", false),
        ] {
            let leaf = try made.make(
                "stamps", by: "middle", ["basicConstraints=CA:FALSE", "extendedKeyUsage=\(purposes)"])
            let judged = try Judgement([leaf, middle], anchors: [root], policy)
            #expect(judged.status == (isFit ? errSecSuccess : errSecInvalidExtendedKeyUsage), "\(purposes)")
        }
    }

    /// Mail is signed and encrypted; code and times are signed. A certificate for code must state the use of its key.
    @Test func key_isForAUseOfThePolicy() throws {
        let signatures: Set<String?> = ["digitalSignature", "nonRepudiation"]
        let usages: [String?] = [
            nil, "digitalSignature", "nonRepudiation", "keyEncipherment", "dataEncipherment", "keyAgreement",
            "keyCertSign", "cRLSign",
        ]
        let policies: [(CFString, Set<String?>)] = [
            (kSecPolicyAppleX509Basic, Set(usages)), (kSecPolicyAppleSSL, Set(usages)),
            (kSecPolicyAppleEAP, Set(usages)), (kSecPolicyAppleIPsec, Set(usages)),
            (
                kSecPolicyAppleSMIME,
                [nil, "digitalSignature", "keyEncipherment", "dataEncipherment", "keyAgreement"]
            ),
            (kSecPolicyAppleCodeSigning, signatures), (kSecPolicyAppleTimeStamping, signatures.union([nil])),
        ]
        for usage in usages + ["keyCertSign,digitalSignature"] {
            let purposes = ["serverAuth,emailProtection,codeSigning", "timeStamping"]
            let leaves = try purposes.map { purpose in
                try made.make(
                    "use", by: "middle",
                    ["basicConstraints=CA:FALSE", "extendedKeyUsage=\(purpose)"]
                        + (usage.map { ["keyUsage=critical,\($0)"] } ?? []))
            }
            for (identifier, fit) in policies {
                let policy = try #require(SecPolicyCreateWithProperties(identifier, nil))
                let leaf = leaves[identifier == kSecPolicyAppleTimeStamping ? 1 : 0]
                let judged = try Judgement([leaf, middle], anchors: [root], policy)
                let isFit = usage.map { $0.split(separator: ",").contains { fit.contains(String($0)) } }
                let status = isFit ?? fit.contains(nil) ? errSecSuccess : errSecInvalidKeyUsageForPolicy
                #expect(judged.status == status, "\(usage ?? "none"), \(identifier)")
            }
        }
    }

    @Test func address_isOneOfTheCertificates() throws {
        let table: [(names: String?, subject: String, address: String, isIt: Bool)] = [
            ("email:anna@example.org", "/CN=anna", "anna@example.org", true),
            ("email:anna@example.org", "/CN=anna", "anna@EXAMPLE.org", true),
            ("email:anna@example.org", "/CN=anna", "berta@example.org", false),
            ("email:anna@example.org,email:a@example.net", "/CN=anna", "a@example.net", true),
            ("DNS:example.org", "/CN=anna", "anna@example.org", false),
            (nil, "/CN=anna@example.org", "anna@example.org", false),
            (nil, "/CN=anna/emailAddress=anna@example.org", "anna@example.org", true),
        ]
        for row in table {
            let leaf = try made.make(
                "mail", by: "middle", subject: row.subject,
                ["basicConstraints=CA:FALSE"] + (row.names.map { ["subjectAltName=\($0)"] } ?? []))
            let properties = [kSecPolicyName as String: row.address] as CFDictionary
            let policy = try #require(SecPolicyCreateWithProperties(kSecPolicyAppleSMIME, properties))
            let judged = try Judgement([leaf, middle], anchors: [root], policy)
            #expect(judged.status == (row.isIt ? errSecSuccess : errSecSMIMEEmailAddressesNotFound), "\(row)")
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemShim
import SecItemStore
import Security
import Testing

/// `kSecMatchPolicy` if the keychain has the certificate's authorities.
@Suite(.enabled(if: trustProgramIsThere, "OpenSSL is not there"))
struct MatchPolicyTests {
    private let keychain = KeychainCalls(
        store: InMemoryStore(), application: ClientApplication(identifier: "org.example.match"))

    /// A policy for a purpose checks only the certificate itself, wherever its chain ends and whatever else the chain
    /// contains.
    @Test func policyOfAPurpose_isAboutTheCertificateItself() throws {
        let (made, root, middle, leaf) = try TrustCertificates.chain()
        try add(root, middle, leaf)
        try add(made.make("other", by: "middle", TrustCertificates.server + ["subjectAltName=DNS:other.example.org"]))
        try #expect(found(SecPolicyCreateSSL(true, "host.example.org" as CFString)) == [leaf])
        try #expect(found(SecPolicyCreateSSL(true, "none.example.org" as CFString)) == [])
    }

    @Test func policyOfAPurpose_ofAnExpiredCertificate_isNotMet() throws {
        let (made, root, middle, leaf) = try TrustCertificates.chain()
        let short = try made.make("short", by: "middle", days: 10, TrustCertificates.server + [TrustCertificates.host])
        try add(root, middle, leaf, short)
        let policy = SecPolicyCreateSSL(true, "host.example.org" as CFString)
        try #expect(Set(found(policy)) == [leaf, short])
        try #expect(found(policy, on: .inDays(100)) == [leaf])
    }

    private func add(_ certificates: SecCertificate...) throws {
        for certificate in certificates {
            let item: [CFString: Any] = [kSecClass: kSecClassCertificate, kSecValueRef: certificate]
            try #require(keychain.add(item as CFDictionary, nil) == errSecSuccess)
        }
    }

    private func found(_ policy: SecPolicy, on date: Date? = nil) throws -> [SecCertificate] {
        var query: [CFString: Any] = [
            kSecClass: kSecClassCertificate, kSecMatchPolicy: policy, kSecMatchLimit: kSecMatchLimitAll,
            kSecReturnRef: true,
        ]
        query[kSecMatchValidOnDate] = date
        var result: CFTypeRef?
        let status = keychain.copyMatching(query as CFDictionary, &result)
        if status == errSecItemNotFound { return [] }
        try #require(status == errSecSuccess)
        return try #require(result as? [SecCertificate])
    }
}

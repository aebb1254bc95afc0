// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

@testable import SecItemObjects

/// Chains from x509-limbo and BetterTLS, with the expected verdicts.
@Suite(.enabled(if: LibcryptoX509.shared != nil, "OpenSSL 3 is not there"))
struct PathVectorTests {
    /// A difference between `SecTrust` and the expected verdict, and the reason why it is allowed.
    private struct Divergence {
        let isTrusted: Bool
        let reason: String
    }

    /// Reasons why a chain may be trusted that the publishers expect to be refused. Apple behaves in the same way, or
    /// no caller can ask for the check. Tests/Vectors/README.md explains each.
    private static let reasonsToTrust: Set = [
        "common-name", "depth", "lists", "loose-name", "profile", "suffixes",
    ]
    private static let reasonsToRefuse: Set = ["access-place", "common-name-constrained", "last-second"]

    private func divergences() throws -> [String: Divergence] {
        let text = String(decoding: try KeyVectorFiles.data("x509-limbo-divergences.tsv"), as: UTF8.self)
        var table = [String: Divergence]()
        for line in text.split(separator: "\n").dropFirst() {
            let columns = line.split(separator: "\t").map(String.init)
            try #require(columns.count == 3 && ["trusted", "refused"].contains(columns[1]), "\(line)")
            #expect(table[columns[0]] == nil, "\(line)")
            table[columns[0]] = Divergence(isTrusted: columns[1] == "trusted", reason: columns[2])
        }
        return table
    }

    @Test func divergences_haveAKnownReason() throws {
        for (id, divergence) in try divergences() {
            let reasons = divergence.isTrusted ? Self.reasonsToTrust : Self.reasonsToRefuse
            #expect(reasons.contains(divergence.reason), "\(id)")
        }
    }

    @Test func chain_isJudgedAsPublished_butForTheTable() throws {
        let vectors = try PathVectors()
        var table = try divergences()
        for vector in vectors.cases {
            let error = try vectors.error(of: vector)
            let divergence = table.removeValue(forKey: vector.id)
            let expected = divergence?.isTrusted ?? vector.trusted
            #expect((error == nil) == expected, "\(vector.id): \(error ?? errSecSuccess)")
            if let divergence { #expect(divergence.isTrusted != vector.trusted, "\(vector.id) is no divergence") }
        }
        #expect(table.isEmpty, "no such cases: \(table.keys.sorted())")
    }

    /// Apple's rules are added to OpenSSL's, so no path that OpenSSL refuses is trusted. The exceptions are leaves that
    /// are authorities or limit a path, which OpenSSL's purposes do not allow.
    @Test func trustedPath_isTrustedByOpenSSL() throws {
        let vectors = try PathVectors()
        let plain = try PlainVerifier()
        let leavesWithTheRightsOfAuthorities: Set = [
            "pathlen::validation-ignores-pathlen-in-leaf", "rfc5280::ca-as-leaf", "webpki::ca-as-leaf",
        ]
        for vector in vectors.cases {
            guard let path = try vectors.trustedPath(of: vector) else { continue }
            let isPlain = try plain.trusts(path, in: vector)
            #expect(isPlain != leavesWithTheRightsOfAuthorities.contains(vector.id), "\(vector.id)")
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

@testable import SecItemShim

/// x509-limbo and BetterTLS: chains that others made, and what they expect of whoever judges them.
@Suite(.enabled(if: LibcryptoX509.shared != nil, "OpenSSL 3 is not there"))
struct PathVectorTests {
    /// Whether `SecTrust` differs from what is expected, and why it may.
    private struct Divergence {
        let isTrusted: Bool
        let reason: String
    }

    /// Reasons why a chain may be trusted here that the publishers want refused. Each is Apple's behaviour too, or nothing
    /// that a caller can ask for; Tests/Vectors/README.md says which.
    private static let reasonsToTrust: Set = [
        "common-name", "depth", "lists", "loose-name", "profile", "suffixes", "wildcard-below-exclusion",
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

    /// Apple's rules come on top of OpenSSL's: no path that it refuses is trusted, but for leaves that are authorities
    /// or limit a path, as OpenSSL's purposes do not allow.
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

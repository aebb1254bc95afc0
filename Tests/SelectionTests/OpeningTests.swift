// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemShim
import TestSupport
import Testing

@testable import SecItemConformance

/// The call that needs the store opens it, without holding a lock.
@Suite(.serialized, .timeLimit(.minutes(60))) struct OpeningTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func probe(_ command: String) throws -> Probe {
        try Probe(command, folder.path + "/store", environment: ["HOME": folder.path])
    }

    @Test func passphraseClosure_thatUsesTheKeychain_isAnswered() throws {
        let probe = try probe("reenter")
        #expect(probe.status == 0, "\(probe.errors)")
        let inside = probe.lines.filter { $0.hasPrefix("inside") }
        // Before the store is made, it has no items.
        #expect(inside.first == "inside -25300 -25308", "\(probe.lines)")
        // Once for the new store, which is made and unlocked, and once for the existing one.
        #expect(inside.count == 2 && inside.allSatisfy { $0.hasSuffix(" -25308") }, "\(probe.lines)")
        #expect(probe.lines.filter { $0.hasPrefix("outside") } == ["outside 0 0", "outside 0 0"])
    }

    @Test func personIsSlow_whoMustNotAsk_isAnswered_othersWait() throws {
        let probe = try probe("slow-person")
        #expect(probe.status == 0, "\(probe.errors)")
        #expect(
            probe.lines.filter { $0.hasPrefix("fail") || $0.hasPrefix("skip") || $0.hasPrefix("wrong") }.count == 6)
        #expect(probe.lines.filter { $0 == "fail -25308" }.count == 2, "\(probe.lines)")
        #expect(probe.lines.filter { $0 == "wrong -50" || $0 == "wrong -25306" }.count == 2, "\(probe.lines)")
        #expect(probe.lines.filter { $0 == "first 0" }.count == 2, "\(probe.lines)")
        #expect(probe.lines.filter { $0.hasPrefix("waited") }.count == 2, "\(probe.lines)")
        #expect(probe.lines.filter { $0 == "added 0" }.count == 2, "\(probe.lines)")
    }

    /// One process per round, because some objects are made once in a process, during this call.
    @Test func fork_whileTheFirstCallIsMade_harmsNeitherSide() throws {
        for round in 0..<40 {
            let probe = try Probe(
                "fork-in-first-call", "\(Int.random(in: 0...4_000))",
                environment: ["SECITEM_DIRECTORY": folder.path + "/\(round)"])
            #expect(probe.lines == ["child 0"], "round \(round): \(probe.errors)")
        }
    }

    /// The first call was made without other threads, and prepared nothing for them.
    @Test func fork_whileTheSecondCallIsMade_harmsNeitherSide() throws {
        for round in 0..<40 {
            let probe = try Probe(
                "fork-in-second-call", "\(Int.random(in: 0...4_000))",
                environment: ["SECITEM_DIRECTORY": folder.path + "/\(round)"])
            #expect(probe.lines == ["child 0"], "round \(round): \(probe.errors)")
        }
    }

    /// Keys that are made or read, certificates, files: one process per round, as above.
    @Test func fork_whileTheFirstKeyIsMade_harmsNeitherSide() throws {
        let curve = try newPrivateKey(), certificate = try newCertificate("leaf", of: curve)
        let rsa = [kSecAttrKeyType: kSecAttrKeyTypeRSA, kSecAttrKeySizeInBits: 1024] as [CFString: Any]
        let exported = try bytes(of: #require(SecKeyCreateRandomKey(rsa as CFDictionary, nil)))
        let kinds = [
            "new-curve": Data(), "new-rsa": Data(), "read-curve": try bytes(of: curve), "read-rsa": exported,
            "new-permanent": Data(), "new-guarded": Data(), "import": exported,
            "certificate": SecCertificateCopyData(certificate) as Data,
        ]
        for (kind, bytes) in kinds {
            for round in 0..<8 {
                let probe = try Probe(
                    "fork-in-key", kind, bytes.base64EncodedString(), "\(Int.random(in: 0...3_000))",
                    environment: ["SECITEM_DIRECTORY": folder.path + "/store"])
                #expect(probe.lines == ["child 0"], "\(kind), round \(round): \(probe.errors)")
            }
        }
    }

    /// The law behind these, for the functions on keys, certificates and trust: what a call makes before it waits for a
    /// fork that is under way, it makes in the middle of one. So it must make nothing.
    @Test(arguments: [("curve", 25), ("rsa", 27), ("certificate", 60)], ["listed", "reversed"])
    func types_areMadeBeforeOrAfterAFork(_ object: (kind: String, callCount: Int), _ order: String) throws {
        let isRSA = object.kind == "rsa"
        let parameters =
            [
                kSecAttrKeyType: isRSA ? kSecAttrKeyTypeRSA : kSecAttrKeyTypeECSECPrimeRandom,
                kSecAttrKeySizeInBits: isRSA ? 1024 : 256,
            ] as [CFString: Any]
        let key = try #require(SecKeyCreateRandomKey(parameters as CFDictionary, nil))
        let content = object.kind == "certificate" ? try newCertificate("leaf", of: key).bytes : try bytes(of: key)
        let probe = try Probe(
            "types-during-fork", object.kind, content.base64EncodedString(), order,
            environment: ["SECITEM_DIRECTORY": folder.path + "/store"])
        #expect(probe.lines == ["\(object.callCount) calls"], "\(probe.errors)")
    }

    /// A query with a rule for certificates examines them inside the store, for which the fork waits.
    @Test(arguments: ["memory", "embedded"])
    func fork_whileAStoreExaminesCertificates_harmsNeitherSide(_ store: String) throws {
        let certificate = try newCertificate("leaf", of: newPrivateKey())
        let probe = try Probe(
            "fork-in-query", store, certificate.bytes.base64EncodedString(),
            environment: ["SECITEM_DIRECTORY": folder.path + "/store", "SECITEM_STORE": store])
        #expect(probe.lines == ["done 0"], "\(probe.errors)")
    }

    /// Objects that Swift and the libraries create at the first use of a key or chain are complete in the child.
    @Test func fork_waitsForTheFirstOperationOfAKind() throws {
        let probe = try Probe("fork-in-operation", environment: ["SECITEM_DIRECTORY": folder.path + "/store"])
        #expect(probe.lines == ["child 0", "parent true"], "\(probe.errors)")
    }

    @Test func firstCall_whileAForkIsUnderWay_harmsNeitherSide() throws {
        let probe = try Probe("first-call-in-fork", environment: ["SECITEM_DIRECTORY": folder.path + "/store"])
        #expect(probe.lines == ["child 0"], "\(probe.errors)")
    }

    @Test func fork_whileThreadsOpenAndUnlock_harmsNeitherSide() throws {
        let probe = try probe("fork")
        #expect(probe.lines.last == "done 4 0", "\(probe.lines) \(probe.errors)")
    }
}

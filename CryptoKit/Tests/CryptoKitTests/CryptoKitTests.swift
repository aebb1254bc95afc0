// SPDX-License-Identifier: Apache-2.0

import CryptoKit
import Foundation
import Testing

@Suite struct CryptoKitTests {
    @Test func digestIsThatOfTheStandard() {
        let digest = SHA256.hash(data: Data("abc".utf8))
        #expect(digest.description.hasSuffix("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"))
    }

    @Test func signatureIsVerified() throws {
        let key = P256.Signing.PrivateKey()
        let signature = try key.signature(for: Data("a".utf8))
        #expect(key.publicKey.isValidSignature(signature, for: Data("a".utf8)))
        #expect(!key.publicKey.isValidSignature(signature, for: Data("b".utf8)))
    }

    @Test func secureEnclaveSaysThatItIsNotThere() {
        #expect(!SecureEnclave.isAvailable)
        #expect(throws: CryptoKitError.self) { try SecureEnclave.P256.Signing.PrivateKey() }
        #expect(throws: CryptoKitError.self) {
            try SecureEnclave.P256.KeyAgreement.PrivateKey(dataRepresentation: Data())
        }
    }
}

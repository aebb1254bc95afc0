// SPDX-License-Identifier: Apache-2.0

import CryptoKit
import Foundation
import Testing

extension OnChips {
    /// CryptoKit's keys in a chip.
    @Suite struct SecureEnclaveTests {
        init() {
            _ = Machine.own
        }

        @Test func chip_isThere() {
            #expect(SecureEnclave.isAvailable)
        }

        @Test func signature_isThatOfThePublicKey() throws {
            let key = try SecureEnclave.P256.Signing.PrivateKey()
            let message = Data("message".utf8)
            #expect(key.publicKey.compactRepresentation != nil)
            #expect(key.publicKey.isValidSignature(try key.signature(for: message), for: message))
            let digest = SHA512.hash(data: message)
            #expect(key.publicKey.isValidSignature(try key.signature(for: digest), for: digest))
        }

        @Test func dataRepresentation_isTheKeyAgain() throws {
            let key = try SecureEnclave.P256.Signing.PrivateKey(compactRepresentable: false)
            let again = try SecureEnclave.P256.Signing.PrivateKey(dataRepresentation: key.dataRepresentation)
            #expect(again.publicKey.rawRepresentation == key.publicKey.rawRepresentation)
            let message = Data("message".utf8)
            #expect(key.publicKey.isValidSignature(try again.signature(for: message), for: message))
        }

        @Test func agreement_givesWhatTheOtherSideGets() throws {
            let mine = try SecureEnclave.P256.KeyAgreement.PrivateKey()
            let theirs = P256.KeyAgreement.PrivateKey()
            let secret = try mine.sharedSecretFromKeyAgreement(with: theirs.publicKey)
            #expect(try secret == theirs.sharedSecretFromKeyAgreement(with: mine.publicKey))
        }

        @Test func otherBytes_areNoKey() throws {
            let key = try SecureEnclave.P256.Signing.PrivateKey().dataRepresentation
            var generator = SystemRandomNumberGenerator()
            for length in [0, 1, 7, key.count - 1] {
                #expect(throws: CryptoKitError.self) {
                    try SecureEnclave.P256.Signing.PrivateKey(dataRepresentation: key.prefix(length))
                }
            }
            for _ in 0..<2_000 {
                var bytes = key
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] ^= UInt8.random(
                    in: 1...255, using: &generator)
                // Some of them can still be parsed, and the chip refuses them.
                _ = try? SecureEnclave.P256.Signing.PrivateKey(dataRepresentation: bytes)
            }
        }
    }
}

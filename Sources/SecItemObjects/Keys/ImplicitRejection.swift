// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import SecItemStore

/// The result of a decryption with PKCS #1 v1.5 if the padding is wrong: bytes that look like a message. They are
/// always the same for one ciphertext and one key, and only the key's holder can predict them.
///
/// An error instead would let an attacker who can submit many ciphertexts decrypt others (Bleichenbacher's attack).
/// Apple's keys give such bytes too.
struct ImplicitRejection: Sendable {
    private let secret: Secret
    private let longestMessage: Int

    init(privateKey: Secret, blockSize: Int) {
        secret = privateKey.withUnsafeBytes { bytes in SHA256.hash(data: bytes).withUnsafeBytes { Secret(copying: $0) }
        }
        longestMessage = blockSize - 11
    }

    func message(for ciphertext: Data) -> Data {
        let key = secret.withUnsafeBytes { SymmetricKey(data: $0) }
        let code = HMAC<SHA256>.authenticationCode(for: ciphertext, using: key)
        let stream = HKDF<SHA256>.expand(
            pseudoRandomKey: code, info: Data("implicit rejection".utf8), outputByteCount: 4 + longestMessage)
        return stream.withUnsafeBytes { bytes in
            let number = bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            return Data(bytes.dropFirst(4).prefix(number % (longestMessage + 1)))
        }
    }
}

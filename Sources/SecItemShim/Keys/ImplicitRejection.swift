import Crypto
import Foundation

/// What decryption with PKCS #1 v1.5 gives for a wrong padding: bytes that look like a message, always the same for
/// one ciphertext and one key, and unknown to who does not have the key.
///
/// With an error instead, an attacker who can have many ciphertexts tried would decrypt others by it (Bleichenbacher's
/// attack). Apple's keys answer likewise.
struct ImplicitRejection: Sendable {
    private let secret: SymmetricKey
    private let longestMessage: Int

    init(privateKey: Data, blockSize: Int) {
        secret = SymmetricKey(data: SHA256.hash(data: privateKey))
        longestMessage = blockSize - 11
    }

    func message(for ciphertext: Data) -> Data {
        let code = HMAC<SHA256>.authenticationCode(for: ciphertext, using: secret)
        let stream = HKDF<SHA256>.expand(
            pseudoRandomKey: code, info: Data("implicit rejection".utf8), outputByteCount: 4 + longestMessage)
        return stream.withUnsafeBytes { bytes in
            let number = bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            return Data(bytes.dropFirst(4).prefix(number % (longestMessage + 1)))
        }
    }
}

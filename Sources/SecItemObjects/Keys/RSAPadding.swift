// SPDX-License-Identifier: Apache-2.0

import CryptoExtras
import Foundation

extension KeyAlgorithm {
    /// swift-crypto does not encrypt if the length of the modulus in bits is not a multiple of eight.
    func library(forModulusOf bits: Int) -> KeyLibrary {
        if case .rsaSignature = scheme { return library }
        return bits.isMultiple(of: 8) ? library : .libcrypto
    }

    /// The digest of the message, or the caller's digest.
    func digestToSign(_ input: Data, _ kind: SignedInput) -> Data {
        guard kind == .message, let digest else { return input }
        return digest.hash(input)
    }
}

extension RSASignaturePadding {
    /// Nil if swift-crypto has none.
    var swiftCrypto: _RSA.Signing.Padding? {
        switch self {
        case .raw: nil
        case .pkcs1: .insecurePKCS1v1_5
        case .pss: .PSS
        }
    }
}

extension RSAEncryptionPadding {
    /// Nil if swift-crypto has none.
    func swiftCrypto(_ digest: KeyDigest?) -> _RSA.Encryption.Padding? {
        switch (self, digest) {
        case (.pkcs1, _): ._WEAK_AND_INSECURE_PKCS_V1_5
        case (.oaep, .sha1): .PKCS1_OAEP
        case (.oaep, .sha256): .PKCS1_OAEP_SHA256
        default: nil
        }
    }

    /// The number of bytes of plaintext that fit into a block.
    func roomForPlaintext(in blockSize: Int, _ digest: KeyDigest?) -> Int {
        switch self {
        case .raw: blockSize
        case .pkcs1: blockSize - 11
        case .oaep: blockSize - 2 * (digest?.byteCount ?? 0) - 2
        }
    }
}

extension Data {
    /// The same number in more bytes.
    func leftPadded(to size: Int) -> Data {
        count < size ? Data(count: size - count) + self : self
    }
}

// The texts are Apple's, because programs compare them. About a ciphertext, they only say that it is wrong.
extension KeychainError {
    static var wrongPlaintext: KeychainError { .param("RSAencrypt wrong input size (err -23)") }
    static var wrongCiphertext: KeychainError { .param("RSAdecrypt wrong input (err -27)") }
    static var wrongDigest: KeychainError { .param("RSAsign wrong input data length") }

    static func wrongBlock(_ block: Data) -> KeychainError {
        .param("input buffer bad size (\(block.count) bytes)")
    }
}

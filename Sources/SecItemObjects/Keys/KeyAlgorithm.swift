// SPDX-License-Identifier: Apache-2.0

/// The meaning of one of Apple's algorithm identifiers, and the library that performs it. The rows are in
/// `KeyAlgorithm.table`.
package struct KeyAlgorithm: Sendable {
    let name: SecKeyAlgorithm
    let scheme: KeyScheme
    /// Nil if the scheme has none, or accepts any digest.
    let digest: KeyDigest?
    /// The library that performs it for ordinary keys.
    let library: KeyLibrary

    init(_ name: SecKeyAlgorithm, _ scheme: KeyScheme, _ digest: KeyDigest?, _ library: KeyLibrary) {
        self.name = name
        self.scheme = scheme
        self.digest = digest
        self.library = library
    }
}

/// The operation of an algorithm.
enum KeyScheme: Sendable, Equatable {
    case rsaSignature(RSASignaturePadding, of: SignedInput)
    case rsaEncryption(RSAEncryptionPadding)
    /// A session key encrypted with OAEP, and the data encrypted with the session key and AES-GCM.
    case rsaSessionKey
    case ecdsa(ECDSAForm, of: SignedInput)
    case exchange(Cofactor)
    case ecies(Cofactor, iv: ECIESVector)
}

enum RSASignaturePadding: Sendable {
    /// The caller has padded the data.
    case raw
    /// PKCS #1 v1.5. Without a digest, the bytes are padded unchanged.
    case pkcs1
    /// PSS. The salt is as long as the digest, and the mask uses the same digest.
    case pss
}

enum RSAEncryptionPadding: Sendable {
    /// The caller has padded the data.
    case raw
    /// PKCS #1 v1.5.
    case pkcs1
    /// OAEP, without a label. The mask uses the same digest.
    case oaep
}

enum ECDSAForm: Sendable {
    /// r and s in DER.
    case x962
    /// r followed by s.
    case rfc4754
}

enum SignedInput: Sendable {
    case message
    case digest
}

/// Apple has two names for the same operation, because every curve here has the cofactor 1.
enum Cofactor: Sendable {
    case standard
    case cofactor
}

/// The initialization vector of an ECIES message.
enum ECIESVector: Sendable {
    /// Sixteen zeros. The key is used only once.
    case zero
    /// Derived together with the key.
    case derived
}

package enum KeyLibrary: Sendable {
    case swiftCrypto
    /// OpenSSL, loaded when it is needed, for algorithms that swift-crypto does not have.
    case libcrypto

    var isThere: Bool {
        switch self {
        case .swiftCrypto: true
        case .libcrypto: Libcrypto.shared != nil
        }
    }
}

extension KeyAlgorithm {
    var keyType: KeyType {
        switch scheme {
        case .rsaSignature, .rsaEncryption, .rsaSessionKey: .rsa
        case .ecdsa, .exchange, .ecies: .ellipticCurve
        }
    }

    /// Whether the algorithm has that operation for that half of a pair.
    func has(_ operation: SecKeyOperationType, isPrivate: Bool) -> Bool {
        switch (scheme, operation) {
        case (.rsaSignature, .sign), (.ecdsa, .sign): isPrivate
        case (.rsaSignature, .verify), (.ecdsa, .verify): !isPrivate
        case (.rsaEncryption(.raw), .decrypt): true  // With a public key: the inverse of raw signing.
        case (.rsaEncryption, .encrypt), (.rsaSessionKey, .encrypt), (.ecies, .encrypt): !isPrivate
        case (.rsaEncryption, .decrypt), (.rsaSessionKey, .decrypt), (.ecies, .decrypt): isPrivate
        case (.exchange, .keyExchange): isPrivate
        default: false
        }
    }

    /// The smallest key with enough space for the padding.
    var minimumSizeInBits: Int {
        let digestSize = digest?.byteCount ?? 0
        return switch scheme {
        case .rsaSignature(.pss, _): 16 * digestSize + 9
        case .rsaEncryption(.oaep), .rsaSessionKey: 8 * (2 * digestSize + 1) + 1
        default: 0
        }
    }
}

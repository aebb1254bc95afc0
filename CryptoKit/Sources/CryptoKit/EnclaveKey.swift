// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import Security

/// A key in the chip, used through the keychain's functions. It is not stored as an item.
struct EnclaveKey: Sendable {
    private let key: SecKey
    let wrapped: Data
    /// The public key in X9.63 format.
    let publicKey: Data

    /// The attribute for the wrapped key of the Secure Enclave. Apple's headers have no constant for it.
    private static let wrappingName = "toid"
    private static let maximumAttempts = 64

    /// Creates a key. About every second key has a compact form, so this may make several until one has it.
    init(_ compactRepresentable: Bool, _ accessControl: SecAccessControl) throws {
        for _ in 0..<Self.maximumAttempts {
            let made = try Self(making: accessControl)
            let hasCompactForm =
                try P256.Signing.PublicKey(x963Representation: made.publicKey).compactRepresentation != nil
            if hasCompactForm || !compactRepresentable {
                self = made
                return
            }
        }
        throw CryptoKitError.underlyingCoreCryptoError(error: errSecInternalComponent)
    }

    private init(making accessControl: SecAccessControl) throws {
        let parameters: [CFString: Any] = [
            kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256,
            kSecAttrTokenID: kSecAttrTokenIDSecureEnclave,
            kSecPrivateKeyAttrs: [kSecAttrAccessControl: accessControl],
        ]
        try self.init(Self.answer { SecKeyCreateRandomKey(parameters as CFDictionary, $0) })
    }

    init(_ wrapped: Data) throws {
        let attributes: [CFString: Any] = [
            kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeyClass: kSecAttrKeyClassPrivate,
            kSecAttrTokenID: kSecAttrTokenIDSecureEnclave, Self.wrappingName as CFString: wrapped,
        ]
        try self.init(
            Self.answer { SecKeyCreateWithData(Data() as CFData, attributes as CFDictionary, $0) })
    }

    private init(_ key: SecKey) throws {
        let attributes = SecKeyCopyAttributes(key) as? [String: Any]
        guard let wrapped = attributes?[Self.wrappingName] as? Data, let publicKey = SecKeyCopyPublicKey(key) else {
            throw CryptoKitError.underlyingCoreCryptoError(error: errSecInternalComponent)
        }
        self.key = key
        self.wrapped = wrapped
        self.publicKey = try Self.answer { SecKeyCopyExternalRepresentation(publicKey, $0) } as Data
    }

    /// - Returns: The signature in DER.
    func signature(of digest: Data) throws -> Data {
        try Self.answer { SecKeyCreateSignature(key, .ecdsaSignatureDigestX962, digest as CFData, $0) } as Data
    }

    /// The first coordinate of the point on which both keys agree.
    func coordinate(with other: P256.KeyAgreement.PublicKey) throws -> Data {
        let attributes = [kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeyClass: kSecAttrKeyClassPublic]
        let theirs = try Self.answer {
            SecKeyCreateWithData(other.x963Representation as CFData, attributes as CFDictionary, $0)
        }
        return try Self.answer {
            SecKeyCopyKeyExchangeResult(key, .ecdhKeyExchangeStandard, theirs, [:] as CFDictionary, $0)
        } as Data
    }

    private static func answer<Value>(
        _ call: (UnsafeMutablePointer<Unmanaged<CFError>?>) -> Value?
    ) throws -> Value {
        var error: Unmanaged<CFError>?
        if let value = call(&error) { return value }
        let code = error?.takeRetainedValue().code ?? Int(errSecInternalComponent)
        throw CryptoKitError.underlyingCoreCryptoError(error: Int32(truncatingIfNeeded: code))
    }
}

// SPDX-License-Identifier: Apache-2.0

public import Crypto
public import Foundation
public import LocalAuthentication
import Security

/// P-256 keys that never leave a chip: a TPM 2.0, in place of the Secure Enclave on Apple's platforms.
///
/// They need the keychain's trait `TPM`, and a TPM that the user may use. Otherwise ``isAvailable`` is false, and all
/// initializers throw `CryptoKitError.underlyingCoreCryptoError` with `errSecUnimplemented`.
///
/// Apple's documentation: <https://developer.apple.com/documentation/cryptokit/secureenclave>
public enum SecureEnclave {
    /// Whether there is a chip that the user may use.
    public static var isAvailable: Bool { LinuxKeychain.hasTPM }

    /// P-256 keys in the chip.
    public enum P256 {
        /// Keys for signatures.
        public enum Signing {
            /// A private key for signatures.
            public struct PrivateKey: Sendable {
                private let key: EnclaveKey

                /// The public key that belongs to this one.
                public let publicKey: Crypto.P256.Signing.PublicKey

                /// Wrapped data from which the key can be made again on the same machine. It is useless elsewhere.
                public var dataRepresentation: Data { key.wrapped }

                /// Creates a key.
                ///
                /// - Parameters:
                ///   - compactRepresentable: Whether the public key must have a compact form.
                ///   - accessControl: When the key may be used. An access control that asks for a person is refused.
                ///   - authenticationContext: Ignored, because no key asks for a person.
                /// - Throws: `CryptoKitError.underlyingCoreCryptoError` with the status of `SecKeyCreateRandomKey`.
                public init(
                    compactRepresentable: Bool = true, accessControl: SecAccessControl = SecureEnclave.usage,
                    authenticationContext: LAContext? = nil
                ) throws {
                    try self.init(EnclaveKey(compactRepresentable, accessControl))
                }

                /// Makes a key again from its data.
                ///
                /// - Parameters:
                ///   - dataRepresentation: The key's ``dataRepresentation``.
                ///   - authenticationContext: Ignored, because no key asks for a person.
                /// - Throws: `CryptoKitError.underlyingCoreCryptoError` with `errSecDecode` if the data is not such a
                ///   key's.
                public init(dataRepresentation: Data, authenticationContext: LAContext? = nil) throws {
                    try self.init(EnclaveKey(dataRepresentation))
                }

                private init(_ key: EnclaveKey) throws {
                    self.key = key
                    publicKey = try Crypto.P256.Signing.PublicKey(x963Representation: key.publicKey)
                }

                /// Signs the SHA-256 digest of the data.
                ///
                /// - Throws: `CryptoKitError.underlyingCoreCryptoError` with the status of `SecKeyCreateSignature`.
                public func signature(for data: some DataProtocol) throws -> Crypto.P256.Signing.ECDSASignature {
                    try signature(for: SHA256.hash(data: data))
                }

                /// Signs a digest.
                ///
                /// - Throws: `CryptoKitError.underlyingCoreCryptoError` with the status of `SecKeyCreateSignature`.
                public func signature(for digest: some Digest) throws -> Crypto.P256.Signing.ECDSASignature {
                    try Crypto.P256.Signing.ECDSASignature(derRepresentation: key.signature(of: Data(digest)))
                }
            }
        }

        /// Keys for key agreement.
        public enum KeyAgreement {
            /// A private key for key agreement.
            public struct PrivateKey: Sendable {
                private let key: EnclaveKey

                /// The public key that belongs to this one.
                public let publicKey: Crypto.P256.KeyAgreement.PublicKey

                /// Wrapped data from which the key can be made again on the same machine. It is useless elsewhere.
                public var dataRepresentation: Data { key.wrapped }

                /// Creates a key.
                ///
                /// - Parameters:
                ///   - compactRepresentable: Whether the public key must have a compact form.
                ///   - accessControl: When the key may be used. An access control that asks for a person is refused.
                ///   - authenticationContext: Ignored, because no key asks for a person.
                /// - Throws: `CryptoKitError.underlyingCoreCryptoError` with the status of `SecKeyCreateRandomKey`.
                public init(
                    compactRepresentable: Bool = true, accessControl: SecAccessControl = SecureEnclave.usage,
                    authenticationContext: LAContext? = nil
                ) throws {
                    try self.init(EnclaveKey(compactRepresentable, accessControl))
                }

                /// Makes a key again from its data.
                ///
                /// - Parameters:
                ///   - dataRepresentation: The key's ``dataRepresentation``.
                ///   - authenticationContext: Ignored, because no key asks for a person.
                /// - Throws: `CryptoKitError.underlyingCoreCryptoError` with `errSecDecode` if the data is not such a
                ///   key's.
                public init(dataRepresentation: Data, authenticationContext: LAContext? = nil) throws {
                    try self.init(EnclaveKey(dataRepresentation))
                }

                private init(_ key: EnclaveKey) throws {
                    self.key = key
                    publicKey = try Crypto.P256.KeyAgreement.PublicKey(x963Representation: key.publicKey)
                }

                /// Agrees on a shared secret with the holder of another key.
                ///
                /// - Parameter publicKeyShare: The public key of the other.
                /// - Returns: The secret.
                /// - Throws: `CryptoKitError.underlyingCoreCryptoError` with the status of `SecKeyCopyKeyExchangeResult`.
                public func sharedSecretFromKeyAgreement(
                    with publicKeyShare: Crypto.P256.KeyAgreement.PublicKey
                ) throws -> SharedSecret {
                    try Crypto.P256.KeyAgreement.PrivateKey.one.sharedSecretFromKeyAgreement(
                        with: .init(compressedRepresentation: [2] + key.coordinate(with: publicKeyShare)))
                }
            }
        }
    }

    /// The key may be used while the keychain is unlocked.
    public static var usage: SecAccessControl {
        guard
            let control = SecAccessControlCreateWithFlags(
                nil, kSecAttrAccessibleWhenUnlockedThisDeviceOnly, .privateKeyUsage, nil)
        else { preconditionFailure("a protection class and a flag that go together") }
        return control
    }
}

extension P256.KeyAgreement.PrivateKey {
    /// The number one as a key. swift-crypto only makes a shared secret by key agreement. One times a point is the
    /// point itself, and its first coordinate is the secret. Two points have this coordinate; either gives the same
    /// secret.
    fileprivate static var one: Self {
        get throws { try Self(rawRepresentation: [UInt8](repeating: 0, count: 31) + [1]) }
    }
}

// SPDX-License-Identifier: Apache-2.0

public import Crypto
public import Foundation
public import LocalAuthentication
import Security

/// Keys of the curve P-256 that never leave a chip: a TPM 2.0, where Apple's platforms have the Secure Enclave.
///
/// There are some where the keychain is built with its trait `TPM` and the machine has a TPM that the user may use. Elsewhere
/// ``isAvailable`` is false, and every way to make a key throws `CryptoKitError.underlyingCoreCryptoError` with the code of
/// `errSecUnimplemented`.
///
/// Apple's documentation: <https://developer.apple.com/documentation/cryptokit/secureenclave>
public enum SecureEnclave {
    /// Whether there is a chip that answers.
    public static var isAvailable: Bool { LinuxKeychain.hasTPM }

    /// Keys of the curve P-256 in the chip.
    public enum P256 {
        /// Keys that sign.
        public enum Signing {
            /// A private key that signs.
            public struct PrivateKey: Sendable {
                private let key: EnclaveKey

                /// The public key that belongs to this one.
                public let publicKey: Crypto.P256.Signing.PublicKey

                /// What the key can be made from again on the same machine. Of no use elsewhere.
                public var dataRepresentation: Data { key.wrapped }

                /// Makes a new key.
                ///
                /// - Parameters:
                ///   - compactRepresentable: Whether the public key shall have a compact form.
                ///   - accessControl: When the key may be used. What asks for a person is refused.
                ///   - authenticationContext: Not looked at, as no key asks for a person.
                /// - Throws: `CryptoKitError.underlyingCoreCryptoError` with the status of `SecKeyCreateRandomKey`.
                public init(
                    compactRepresentable: Bool = true, accessControl: SecAccessControl = SecureEnclave.usage,
                    authenticationContext: LAContext? = nil
                ) throws {
                    try self.init(EnclaveKey(compactRepresentable, accessControl))
                }

                /// Makes a key of what it has given of itself.
                ///
                /// - Parameters:
                ///   - dataRepresentation: The key's ``dataRepresentation``.
                ///   - authenticationContext: Not looked at, as no key asks for a person.
                /// - Throws: `CryptoKitError.underlyingCoreCryptoError` with `errSecDecode` for other bytes.
                public init(dataRepresentation: Data, authenticationContext: LAContext? = nil) throws {
                    try self.init(EnclaveKey(dataRepresentation))
                }

                private init(_ key: EnclaveKey) throws {
                    self.key = key
                    publicKey = try Crypto.P256.Signing.PublicKey(x963Representation: key.publicKey)
                }

                /// Signs data, by its digest of SHA-256.
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

        /// Keys that agree on a secret.
        public enum KeyAgreement {
            /// A private key that agrees on secrets.
            public struct PrivateKey: Sendable {
                private let key: EnclaveKey

                /// The public key that belongs to this one.
                public let publicKey: Crypto.P256.KeyAgreement.PublicKey

                /// What the key can be made from again on the same machine. Of no use elsewhere.
                public var dataRepresentation: Data { key.wrapped }

                /// Makes a new key.
                ///
                /// - Parameters:
                ///   - compactRepresentable: Whether the public key shall have a compact form.
                ///   - accessControl: When the key may be used. What asks for a person is refused.
                ///   - authenticationContext: Not looked at, as no key asks for a person.
                /// - Throws: `CryptoKitError.underlyingCoreCryptoError` with the status of `SecKeyCreateRandomKey`.
                public init(
                    compactRepresentable: Bool = true, accessControl: SecAccessControl = SecureEnclave.usage,
                    authenticationContext: LAContext? = nil
                ) throws {
                    try self.init(EnclaveKey(compactRepresentable, accessControl))
                }

                /// Makes a key of what it has given of itself.
                ///
                /// - Parameters:
                ///   - dataRepresentation: The key's ``dataRepresentation``.
                ///   - authenticationContext: Not looked at, as no key asks for a person.
                /// - Throws: `CryptoKitError.underlyingCoreCryptoError` with `errSecDecode` for other bytes.
                public init(dataRepresentation: Data, authenticationContext: LAContext? = nil) throws {
                    try self.init(EnclaveKey(dataRepresentation))
                }

                private init(_ key: EnclaveKey) throws {
                    self.key = key
                    publicKey = try Crypto.P256.KeyAgreement.PublicKey(x963Representation: key.publicKey)
                }

                /// Agrees on a secret with the holder of another key.
                ///
                /// - Parameter publicKeyShare: The other's public key.
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

    /// A key may be used, and while the keychain is unlocked.
    public static var usage: SecAccessControl {
        guard
            let control = SecAccessControlCreateWithFlags(
                nil, kSecAttrAccessibleWhenUnlockedThisDeviceOnly, .privateKeyUsage, nil)
        else { preconditionFailure("a protection class and a flag that go together") }
        return control
    }
}

extension P256.KeyAgreement.PrivateKey {
    /// The number one. swift-crypto makes a shared secret by agreeing alone: one times a point is that point, whose first
    /// coordinate is the secret, whichever of the two points with that coordinate it is.
    fileprivate static var one: Self {
        get throws { try Self(rawRepresentation: [UInt8](repeating: 0, count: 31) + [1]) }
    }
}

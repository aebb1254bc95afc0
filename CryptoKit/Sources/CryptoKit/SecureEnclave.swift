public import Crypto
public import Foundation

/// Keys that never leave a chip, which no machine with Linux has.
///
/// Code that asks ``isAvailable`` first takes its other way. Every way to make a key throws
/// `CryptoKitError.underlyingCoreCryptoError` with the code -4, the keychain's "unimplemented".
///
/// Apple's documentation: <https://developer.apple.com/documentation/cryptokit/secureenclave>
public enum SecureEnclave {
    /// Whether there is a Secure Enclave: always false.
    public static var isAvailable: Bool { false }

    /// Keys of the curve P-256 in the Secure Enclave.
    public enum P256 {
        /// Keys that sign.
        public enum Signing {
            /// A private key that signs. There can be none.
            public struct PrivateKey: Sendable {
                private let absent: Never

                /// Throws, as there is nowhere to make a key.
                ///
                /// - Parameter compactRepresentable: Whether the key shall have a compact form.
                /// - Throws: `CryptoKitError.underlyingCoreCryptoError(error: -4)`.
                public init(compactRepresentable: Bool = true) throws { throw SecureEnclave.absence }

                /// Throws, as no key was ever made here.
                ///
                /// - Parameter dataRepresentation: What another device's key has given of itself.
                /// - Throws: `CryptoKitError.underlyingCoreCryptoError(error: -4)`.
                public init(dataRepresentation: Data) throws { throw SecureEnclave.absence }

                /// The public key that belongs to this one.
                public var publicKey: Crypto.P256.Signing.PublicKey { switch absent {} }

                /// What the key can be made from again on the same device.
                public var dataRepresentation: Data { switch absent {} }

                /// Signs data.
                ///
                /// - Parameter data: What to sign.
                /// - Returns: The signature.
                public func signature(for data: some DataProtocol) throws -> Crypto.P256.Signing.ECDSASignature {
                    switch absent {}
                }
            }
        }

        /// Keys that agree on a secret.
        public enum KeyAgreement {
            /// A private key that agrees on secrets. There can be none.
            public struct PrivateKey: Sendable {
                private let absent: Never

                /// Throws, as there is nowhere to make a key.
                ///
                /// - Parameter compactRepresentable: Whether the key shall have a compact form.
                /// - Throws: `CryptoKitError.underlyingCoreCryptoError(error: -4)`.
                public init(compactRepresentable: Bool = true) throws { throw SecureEnclave.absence }

                /// Throws, as no key was ever made here.
                ///
                /// - Parameter dataRepresentation: What another device's key has given of itself.
                /// - Throws: `CryptoKitError.underlyingCoreCryptoError(error: -4)`.
                public init(dataRepresentation: Data) throws { throw SecureEnclave.absence }

                /// The public key that belongs to this one.
                public var publicKey: Crypto.P256.KeyAgreement.PublicKey { switch absent {} }

                /// What the key can be made from again on the same device.
                public var dataRepresentation: Data { switch absent {} }

                /// Agrees on a secret with the holder of another key.
                ///
                /// - Parameter publicKeyShare: The other's public key.
                /// - Returns: The secret.
                public func sharedSecretFromKeyAgreement(
                    with publicKeyShare: Crypto.P256.KeyAgreement.PublicKey
                ) throws -> SharedSecret {
                    switch absent {}
                }
            }
        }
    }

    private static var absence: CryptoKitError { .underlyingCoreCryptoError(error: -4) }
}

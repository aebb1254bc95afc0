// SPDX-License-Identifier: Apache-2.0

import SecItemShim

/// The key of a saved right, on the curve P-256. It can be used while the right is authorized.
///
/// Each use looks the key up again and asks nobody. It fails with `LAError.notInteractive` if the right is not authorized,
/// with the code -1019 if it was removed, and else with the errors of ``LARightStore``.
///
/// Names and behaviour are those of
/// [LAPrivateKey](https://developer.apple.com/documentation/localauthentication/laprivatekey).
public final class LAPrivateKey: NSObject, Sendable {
    private let saved: SavedRight
    private let session: RightSession

    /// The public half, which can always be used.
    public let publicKey: LAPublicKey

    init(_ saved: SavedRight, _ session: RightSession) {
        self.saved = saved
        self.session = session
        publicKey = LAPublicKey(of: saved.key)
        super.init()
    }

    // MARK: Signing

    /// Signs data.
    ///
    /// - Parameters:
    ///   - data: The data, or its digest, as the algorithm says.
    ///   - algorithm: An algorithm for which ``canSign(using:)`` is true.
    ///   - handler: Called once, on any thread, with the signature, or with an error: one of the list above, or that of
    ///     `SecKeyCreateSignature`.
    @preconcurrency
    public func sign(
        _ data: Data, algorithm: SecKeyAlgorithm, completion handler: @escaping @Sendable (Data?, (any Error)?) -> Void
    ) {
        use(handler) { SecKeyCreateSignature($0, algorithm, data as CFData, &$1) }
    }

    /// Signs data.
    ///
    /// - Parameters:
    ///   - data: The data, or its digest, as the algorithm says.
    ///   - algorithm: An algorithm for which ``canSign(using:)`` is true.
    /// - Throws: An error of the list above, or that of `SecKeyCreateSignature`.
    public func sign(_ data: Data, algorithm: SecKeyAlgorithm) async throws -> Data {
        try await withCheckedThrowingContinuation { continuation in
            sign(data, algorithm: algorithm) { continuation.resume(with: Result($0, $1)) }
        }
    }

    /// Returns whether the key signs with an algorithm.
    public func canSign(using algorithm: SecKeyAlgorithm) -> Bool {
        SecKeyIsAlgorithmSupported(saved.key, .sign, algorithm)
    }

    // MARK: Decrypting

    /// Decrypts data.
    ///
    /// - Parameters:
    ///   - data: The ciphertext.
    ///   - algorithm: An algorithm for which ``canDecrypt(using:)`` is true.
    ///   - handler: Called once, on any thread, with the plaintext, or with an error: one of the list above, or that of
    ///     `SecKeyCreateDecryptedData`.
    @preconcurrency
    public func decrypt(
        _ data: Data, algorithm: SecKeyAlgorithm, completion handler: @escaping @Sendable (Data?, (any Error)?) -> Void
    ) {
        use(handler) { SecKeyCreateDecryptedData($0, algorithm, data as CFData, &$1) }
    }

    /// Decrypts data.
    ///
    /// - Parameters:
    ///   - data: The ciphertext.
    ///   - algorithm: An algorithm for which ``canDecrypt(using:)`` is true.
    /// - Throws: An error of the list above, or that of `SecKeyCreateDecryptedData`.
    public func decrypt(_ data: Data, algorithm: SecKeyAlgorithm) async throws -> Data {
        try await withCheckedThrowingContinuation { continuation in
            decrypt(data, algorithm: algorithm) { continuation.resume(with: Result($0, $1)) }
        }
    }

    /// Returns whether the key decrypts with an algorithm.
    public func canDecrypt(using algorithm: SecKeyAlgorithm) -> Bool {
        SecKeyIsAlgorithmSupported(saved.key, .decrypt, algorithm)
    }

    // MARK: Agreeing on a secret

    /// Agrees on a secret with the owner of another key.
    ///
    /// - Parameters:
    ///   - publicKey: The public key of the other, on the curve P-256, in the form of ANSI X9.63.
    ///   - algorithm: An algorithm for which ``canExchangeKeys(using:)`` is true.
    ///   - parameters: What the algorithm needs, under the names of `SecKeyKeyExchangeParameter`.
    ///   - handler: Called once, on any thread, with the secret, or with an error: one of the list above, or that of
    ///     `SecKeyCreateWithData` or `SecKeyCopyKeyExchangeResult`.
    @preconcurrency
    public func exchangeKeys(
        publicKey: Data, algorithm: SecKeyAlgorithm, parameters: [AnyHashable: Any],
        completion handler: @escaping @Sendable (Data?, (any Error)?) -> Void
    ) {
        // Only this call has the copy.
        nonisolated(unsafe) let parameters = NSDictionary(dictionary: parameters)
        use(handler) { key, error in
            let kind: [CFString: Any] = [
                kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeyClass: kSecAttrKeyClassPublic,
                kSecAttrKeySizeInBits: 256,
            ]
            guard let other = SecKeyCreateWithData(publicKey as CFData, kind as CFDictionary, &error) else {
                return nil
            }
            return SecKeyCopyKeyExchangeResult(key, algorithm, other, parameters, &error)
        }
    }

    /// Agrees on a secret with the owner of another key.
    ///
    /// - Parameters:
    ///   - publicKey: The public key of the other, on the curve P-256, in the form of ANSI X9.63.
    ///   - algorithm: An algorithm for which ``canExchangeKeys(using:)`` is true.
    ///   - parameters: What the algorithm needs, under the names of `SecKeyKeyExchangeParameter`.
    /// - Throws: An error of the list above, or that of `SecKeyCreateWithData` or `SecKeyCopyKeyExchangeResult`.
    public func exchangeKeys(
        publicKey: Data, algorithm: SecKeyAlgorithm, parameters: [AnyHashable: Any]
    ) async throws -> Data {
        try await withCheckedThrowingContinuation { continuation in
            exchangeKeys(publicKey: publicKey, algorithm: algorithm, parameters: parameters) {
                continuation.resume(with: Result($0, $1))
            }
        }
    }

    /// Returns whether the key agrees on secrets with an algorithm.
    public func canExchangeKeys(using algorithm: SecKeyAlgorithm) -> Bool {
        SecKeyIsAlgorithmSupported(saved.key, .keyExchange, algorithm)
    }

    private func use(
        _ handler: @escaping @Sendable (Data?, (any Error)?) -> Void,
        _ operation: @escaping @Sendable (SecKey, inout Unmanaged<CFError>?) -> CFData?
    ) {
        onThread(answering: handler) { [saved, session] in
            let context = try session.authorized
            var error: Unmanaged<CFError>?
            guard let result = operation(try saved.privateKey(context), &error) else {
                throw error?.takeRetainedValue() ?? RightError.ofStatus(errSecInternalError)
            }
            return result as Data
        }
    }
}

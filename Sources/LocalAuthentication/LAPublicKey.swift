// SPDX-License-Identifier: Apache-2.0

import SecItemShim

/// The public half of the key of a saved right. It can always be used.
///
/// Names and behaviour are those of
/// [LAPublicKey](https://developer.apple.com/documentation/localauthentication/lapublickey).
public final class LAPublicKey: NSObject, Sendable {
    private let key: SecKey?

    /// - Parameter privateKey: The private half.
    init(of privateKey: SecKey) {
        key = SecKeyCopyPublicKey(privateKey)
        super.init()
    }

    /// Gives the key in the form of ANSI X9.63: 0x04, then the two coordinates.
    ///
    /// - Parameter handler: Called once, on any thread, with the bytes, or with the error of
    ///   `SecKeyCopyExternalRepresentation`.
    @preconcurrency
    public func exportBytes(completion handler: @escaping @Sendable (Data?, (any Error)?) -> Void) {
        use(handler) { SecKeyCopyExternalRepresentation($0, &$1) }
    }

    /// The key in the form of ANSI X9.63: 0x04, then the two coordinates.
    public var bytes: Data {
        get async throws {
            try await withCheckedThrowingContinuation { continuation in
                exportBytes { continuation.resume(with: Result($0, $1)) }
            }
        }
    }

    /// Encrypts data for the private half.
    ///
    /// - Parameters:
    ///   - data: The data.
    ///   - algorithm: An algorithm for which ``canEncrypt(using:)`` is true.
    ///   - handler: Called once, on any thread, with the ciphertext, or with the error of `SecKeyCreateEncryptedData`.
    @preconcurrency
    public func encrypt(
        _ data: Data, algorithm: SecKeyAlgorithm, completion handler: @escaping @Sendable (Data?, (any Error)?) -> Void
    ) {
        use(handler) { SecKeyCreateEncryptedData($0, algorithm, data as CFData, &$1) }
    }

    /// Encrypts data for the private half.
    ///
    /// - Parameters:
    ///   - data: The data.
    ///   - algorithm: An algorithm for which ``canEncrypt(using:)`` is true.
    /// - Throws: The error of `SecKeyCreateEncryptedData`.
    public func encrypt(_ data: Data, algorithm: SecKeyAlgorithm) async throws -> Data {
        try await withCheckedThrowingContinuation { continuation in
            encrypt(data, algorithm: algorithm) { continuation.resume(with: Result($0, $1)) }
        }
    }

    /// Returns whether the key encrypts with an algorithm.
    public func canEncrypt(using algorithm: SecKeyAlgorithm) -> Bool { supports(.encrypt, algorithm) }

    /// Verifies a signature of the private half.
    ///
    /// - Parameters:
    ///   - signedData: The data that was signed, or its digest, as the algorithm says.
    ///   - signature: The signature.
    ///   - algorithm: An algorithm for which ``canVerify(using:)`` is true.
    ///   - handler: Called once, on any thread, with nil if the signature is right, and otherwise with the error of
    ///     `SecKeyVerifySignature`.
    @preconcurrency
    public func verify(
        _ signedData: Data, signature: Data, algorithm: SecKeyAlgorithm,
        completion handler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        use({ handler($1) }) {
            SecKeyVerifySignature($0, algorithm, signedData as CFData, signature as CFData, &$1)
                ? Data() as CFData : nil
        }
    }

    /// Verifies a signature of the private half.
    ///
    /// - Parameters:
    ///   - signedData: The data that was signed, or its digest, as the algorithm says.
    ///   - signature: The signature.
    ///   - algorithm: An algorithm for which ``canVerify(using:)`` is true.
    /// - Throws: The error of `SecKeyVerifySignature` if the signature is not right.
    public func verify(_ signedData: Data, signature: Data, algorithm: SecKeyAlgorithm) async throws {
        try await withCheckedThrowingContinuation { continuation in
            verify(signedData, signature: signature, algorithm: algorithm) {
                continuation.resume(with: $0.map(Result.failure) ?? .success(()))
            }
        }
    }

    /// Returns whether the key verifies signatures of an algorithm.
    public func canVerify(using algorithm: SecKeyAlgorithm) -> Bool { supports(.verify, algorithm) }

    private func supports(_ operation: SecKeyOperationType, _ algorithm: SecKeyAlgorithm) -> Bool {
        key.map { SecKeyIsAlgorithmSupported($0, operation, algorithm) } ?? false
    }

    private func use(
        _ handler: @escaping @Sendable (Data?, (any Error)?) -> Void,
        _ operation: @escaping @Sendable (SecKey, inout Unmanaged<CFError>?) -> CFData?
    ) {
        onThread(answering: handler) { [key] in
            guard let key else { throw RightError.ofStatus(errSecDecode) }
            var error: Unmanaged<CFError>?
            guard let result = operation(key, &error) else {
                throw error?.takeRetainedValue() ?? RightError.ofStatus(errSecInternalError)
            }
            return result as Data
        }
    }
}

import Foundation

/// Signs data.
///
/// For RSA: PKCS #1 v1.5 and PSS over messages; for curves: DER (X9.62) and plain (RFC 4754) signatures over messages
/// and digests; each with SHA-1, SHA-256, SHA-384 or SHA-512. Apple:
/// [SecKeyCreateSignature](https://developer.apple.com/documentation/security/seckeycreatesignature(_:_:_:_:)).
///
/// - Parameters:
///   - key: A private key.
///   - algorithm: How to sign.
///   - dataToSign: The message, or its digest, as the algorithm says.
///   - error: Receives, if not nil, why nothing was made: an error of the domain `NSOSStatusErrorDomain`, which the
///     caller releases. `errSecUnimplemented` for an algorithm that is not there or not for such a key, `errSecParam`
///     for a digest of the wrong length.
/// - Returns: The signature, or nil.
@discardableResult
public func SecKeyCreateSignature(
    _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ dataToSign: CFData,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    answer(to: error) { () throws(KeychainError) in
        let scheme = try scheme(algorithm, .sign, key)
        do {
            return ResultData(try key.material.signature(of: dataToSign.copiedData, scheme))
        } catch {
            throw KeychainError(errSecParam, "the data cannot be signed", underlying: error)
        }
    }
}

/// Tells whether a signature is that of the data by the holder of the key.
///
/// For the algorithms of `SecKeyCreateSignature`. Apple:
/// [SecKeyVerifySignature](https://developer.apple.com/documentation/security/seckeyverifysignature(_:_:_:_:_:)).
///
/// - Parameters:
///   - key: A public key.
///   - algorithm: How it was signed.
///   - signedData: The message, or its digest, as the algorithm says.
///   - signature: The signature.
///   - error: Receives, if not nil, why the answer is false: `errSecVerifyFailed` for a signature that does not fit,
///     otherwise as for `SecKeyCreateSignature`.
@discardableResult
public func SecKeyVerifySignature(
    _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ signedData: CFData, _ signature: CFData,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> Bool {
    answer(to: error) { () throws(KeychainError) -> Bool in
        let scheme = try scheme(algorithm, .verify, key)
        let isValid: Bool
        do {
            isValid = try key.material.isValid(signature.copiedData, of: signedData.copiedData, scheme)
        } catch {
            throw KeychainError(errSecParam, "the data cannot be verified", underlying: error)
        }
        guard isValid else { throw KeychainError(errSecVerifyFailed, "the signature does not fit") }
        return true
    } ?? false
}

/// Tells whether a key can be used in that way. Apple:
/// [SecKeyIsAlgorithmSupported](https://developer.apple.com/documentation/security/seckeyisalgorithmsupported(_:_:_:)).
@discardableResult
public func SecKeyIsAlgorithmSupported(
    _ key: SecKey, _ operation: SecKeyOperationType, _ algorithm: SecKeyAlgorithm
) -> Bool {
    SignatureScheme(algorithm).map { key.material.supports($0, operation) } ?? false
}

private func scheme(
    _ algorithm: SecKeyAlgorithm, _ operation: SecKeyOperationType, _ key: SecKey
) throws(KeychainError) -> SignatureScheme {
    guard let scheme = SignatureScheme(algorithm), key.material.supports(scheme, operation) else {
        throw .unimplemented("the key does not support this algorithm")
    }
    return scheme
}

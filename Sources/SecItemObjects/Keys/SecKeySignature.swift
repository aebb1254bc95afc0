// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// Signs data.
///
/// Apple: [SecKeyCreateSignature](https://developer.apple.com/documentation/security/seckeycreatesignature(_:_:_:_:)).
///
/// - Parameters:
///   - key: A private key.
///   - algorithm: How to sign; `SecKeyIsAlgorithmSupported` says whether the key supports it.
///   - dataToSign: The message or its digest, depending on the algorithm.
///   - error: Receives the reason for a failure, unless nil: an error of the domain `NSOSStatusErrorDomain`, which the
///     caller releases. `errSecParam` if the key does not support the algorithm, or if a digest has the wrong length.
/// - Returns: The signature, or nil.
@discardableResult
public func SecKeyCreateSignature(
    _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ dataToSign: CFData,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    answer(to: error) { () throws(KeychainError) in
        let algorithm = try key.algorithm(algorithm, for: .sign)
        return ResultData(try key.material.signature(of: dataToSign.copiedData, algorithm))
    }
}

/// Verifies a signature of data.
///
/// Apple: [SecKeyVerifySignature](https://developer.apple.com/documentation/security/seckeyverifysignature(_:_:_:_:_:)).
///
/// - Parameters:
///   - key: A public key.
///   - algorithm: How the data was signed.
///   - signedData: The message or its digest, depending on the algorithm.
///   - signature: The signature.
///   - error: Receives the reason if the result is false, unless nil: `errSecVerifyFailed` if the signature is wrong,
///     otherwise as for `SecKeyCreateSignature`.
@discardableResult
public func SecKeyVerifySignature(
    _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ signedData: CFData, _ signature: CFData,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> Bool {
    answer(to: error) { () throws(KeychainError) -> Bool in
        let algorithm = try key.algorithm(algorithm, for: .verify)
        guard try key.material.isValid(signature.copiedData, of: signedData.copiedData, algorithm) else {
            let family = key.material.type == .rsa ? "RSA" : "EC"
            throw KeychainError(errSecVerifyFailed, "\(family) signature verification failed, no match")
        }
        return true
    } ?? false
}

/// Tells whether a key supports an algorithm for an operation.
///
/// An operation with an unsupported algorithm fails with `errSecParam`. A key does not support operations that its
/// attributes forbid: `kSecAttrCanSign` or a similar attribute that was false when the key was made, read or stored.
/// Some algorithms need OpenSSL 3 on the machine; the first call that asks for one of them looks for it.
/// docs/key-algorithms.md lists them. Apple:
/// [SecKeyIsAlgorithmSupported](https://developer.apple.com/documentation/security/seckeyisalgorithmsupported(_:_:_:)).
@discardableResult
public func SecKeyIsAlgorithmSupported(
    _ key: SecKey, _ operation: SecKeyOperationType, _ algorithm: SecKeyAlgorithm
) -> Bool {
    (try? key.algorithm(algorithm, for: operation)) != nil
}

extension SecKey {
    /// - Throws: `errSecParam` if the key does not support the algorithm, or if its attributes forbid the operation.
    func algorithm(
        _ name: SecKeyAlgorithm, for operation: SecKeyOperationType
    ) throws(KeychainError) -> KeyAlgorithm {
        guard let algorithm = KeyAlgorithm(name), material.supports(algorithm, operation),
            permissions.allows(operation, isPrivate: material.isPrivate)
        else {
            throw .param("\(name.rawValue): algorithm not supported by the key \(self)")
        }
        return algorithm
    }
}

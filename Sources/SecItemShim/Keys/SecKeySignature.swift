// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// Signs data.
///
/// Apple: [SecKeyCreateSignature](https://developer.apple.com/documentation/security/seckeycreatesignature(_:_:_:_:)).
///
/// - Parameters:
///   - key: A private key.
///   - algorithm: How to sign; `SecKeyIsAlgorithmSupported` says whether the key can.
///   - dataToSign: The message, or its digest, as the algorithm says.
///   - error: Receives, if not nil, why nothing was made: an error of the domain `NSOSStatusErrorDomain`, which the
///     caller releases. `errSecParam` for an algorithm that the key does not support and for a digest of the wrong
///     length.
/// - Returns: The signature, or nil.
@discardableResult
public func SecKeyCreateSignature(
    _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ dataToSign: CFData,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    answer(to: error) { () throws(KeychainError) in
        let algorithm = try key.algorithm(algorithm, for: .sign)
        let key = try key.opened()
        return ResultData(
            try key.performing(.sign, algorithm) { () throws(KeychainError) in
                try key.material.signature(of: dataToSign.copiedData, algorithm)
            })
    }
}

/// Tells whether a signature is that of the data by the holder of the key.
///
/// Apple: [SecKeyVerifySignature](https://developer.apple.com/documentation/security/seckeyverifysignature(_:_:_:_:_:)).
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
        let algorithm = try key.algorithm(algorithm, for: .verify)
        let isValid = try key.performing(.verify, algorithm) { () throws(KeychainError) in
            try key.material.isValid(signature.copiedData, of: signedData.copiedData, algorithm)
        }
        guard isValid else {
            let family = key.material.type == .rsa ? "RSA" : "EC"
            throw KeychainError(errSecVerifyFailed, "\(family) signature verification failed, no match")
        }
        return true
    } ?? false
}

/// Tells whether a key can be used in that way.
///
/// What is not supported fails with `errSecParam`. Neither is what `kSecAttrCanSign` and its like forbid the key, where it
/// was made, read or stored with one of them false. Some algorithms need OpenSSL 3 on the machine, which is looked for
/// at the first call that asks; docs/key-algorithms.md says
/// which. Apple:
/// [SecKeyIsAlgorithmSupported](https://developer.apple.com/documentation/security/seckeyisalgorithmsupported(_:_:_:)).
@discardableResult
public func SecKeyIsAlgorithmSupported(
    _ key: SecKey, _ operation: SecKeyOperationType, _ algorithm: SecKeyAlgorithm
) -> Bool {
    (try? key.algorithm(algorithm, for: operation)) != nil
}

extension SecKey {
    /// - Throws: `errSecParam` if the key does not do that, or may not.
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

    /// Performs an operation with this key. No fork comes in the middle of the first of its kind.
    func performing<Result>(
        _ operation: SecKeyOperationType, _ algorithm: KeyAlgorithm, _ body: () throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        // A chip may have to ask a person.
        if material.token != nil { return try body() }
        return try FirstUse.performing(
            OperationKind(
                type: material.type, sizeInBits: material.sizeInBits, algorithm: algorithm.name.rawValue as String,
                operation: operation), body)
    }
}

/// What tells operations apart that run different code. Not a text: Swift writes a value by looking at its type, which
/// takes locks of its own.
private struct OperationKind: Hashable {
    let type: KeyType
    let sizeInBits: Int
    let algorithm: String
    let operation: SecKeyOperationType
}

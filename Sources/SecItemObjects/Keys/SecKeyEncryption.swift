// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Encrypts data with a public key.
///
/// Plain RSA encrypts a little less than one block. The algorithms whose names end in AESGCM encrypt data of any
/// length. Apple:
/// [SecKeyCreateEncryptedData](https://developer.apple.com/documentation/security/seckeycreateencrypteddata(_:_:_:_:)).
///
/// - Parameters:
///   - key: The public key.
///   - algorithm: How to encrypt.
///   - plaintext: The data.
///   - error: Receives the reason for a failure, unless nil: an error of the domain `NSOSStatusErrorDomain`, which the
///     caller releases. `errSecParam` if the key does not support the algorithm, or if the data is too long.
/// - Returns: The encrypted data, or nil.
@discardableResult
public func SecKeyCreateEncryptedData(
    _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ plaintext: CFData,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    answer(to: error) { () throws(KeychainError) in
        let algorithm = try key.algorithm(algorithm, for: .encrypt)
        return ResultData(try key.material.encrypted(plaintext.copiedData, algorithm))
    }
}

/// Decrypts data with a private key.
///
/// With `rsaEncryptionPKCS1`, data that was not encrypted for this key gives other bytes instead of an error, as on
/// Apple's platforms: an error would help an attacker to decrypt. Use OAEP, or verify the result. Apple:
/// [SecKeyCreateDecryptedData](https://developer.apple.com/documentation/security/seckeycreatedecrypteddata(_:_:_:_:)).
///
/// - Parameters:
///   - key: The private key; for `rsaEncryptionRaw`, a public key too.
///   - algorithm: How the data was encrypted.
///   - ciphertext: The data.
///   - error: Receives the reason for a failure, unless nil, as for `SecKeyCreateEncryptedData`. It never says what is
///     wrong with the data.
/// - Returns: The plain data, or nil.
@discardableResult
public func SecKeyCreateDecryptedData(
    _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ ciphertext: CFData,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    answer(to: error) { () throws(KeychainError) in
        let algorithm = try key.algorithm(algorithm, for: .decrypt)
        return ResultData.secret(try key.material.decrypted(ciphertext.copiedData, algorithm))
    }
}

// What other keys of Apple's can do and these cannot yet. Each call fails with `errSecUnimplemented`.

import Foundation

/// Encrypts data with a public key. Not there yet. Apple:
/// [SecKeyCreateEncryptedData](https://developer.apple.com/documentation/security/seckeycreateencrypteddata(_:_:_:_:)).
///
/// - Parameters:
///   - key: The public key.
///   - algorithm: How to encrypt.
///   - plaintext: The data.
///   - error: Receives, if not nil, `errSecUnimplemented`.
/// - Returns: nil.
@discardableResult
public func SecKeyCreateEncryptedData(
    _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ plaintext: CFData,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    error?.store(status: errSecUnimplemented)
    return nil
}

/// Decrypts data with a private key. Not there yet. Apple:
/// [SecKeyCreateDecryptedData](https://developer.apple.com/documentation/security/seckeycreatedecrypteddata(_:_:_:_:)).
///
/// - Parameters:
///   - key: The private key.
///   - algorithm: How the data was encrypted.
///   - ciphertext: The data.
///   - error: Receives, if not nil, `errSecUnimplemented`.
/// - Returns: nil.
@discardableResult
public func SecKeyCreateDecryptedData(
    _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ ciphertext: CFData,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    error?.store(status: errSecUnimplemented)
    return nil
}

/// Agrees on a secret with the holder of another key. Not there yet. Apple:
/// [SecKeyCopyKeyExchangeResult](https://developer.apple.com/documentation/security/seckeycopykeyexchangeresult(_:_:_:_:_:)).
///
/// - Parameters:
///   - privateKey: A key of the caller's own.
///   - algorithm: How to agree.
///   - publicKey: The other's key.
///   - parameters: What else the algorithm needs.
///   - error: Receives, if not nil, `errSecUnimplemented`.
/// - Returns: nil.
@discardableResult
public func SecKeyCopyKeyExchangeResult(
    _ privateKey: SecKey, _ algorithm: SecKeyAlgorithm, _ publicKey: SecKey, _ parameters: CFDictionary,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    error?.store(status: errSecUnimplemented)
    return nil
}

// SPDX-License-Identifier: Apache-2.0

// A new key may be made in the machine's chip, or stored.

import Foundation
import SecItemStore

/// Makes a key from its external representation.
///
///     let attributes = [kSecAttrKeyType: kSecAttrKeyTypeRSA, kSecAttrKeyClass: kSecAttrKeyClassPublic]
///     let key = SecKeyCreateWithData(der as CFData, attributes as CFDictionary, &error)
///
/// Apple: [SecKeyCreateWithData](https://developer.apple.com/documentation/security/seckeycreatewithdata(_:_:_:)).
///
/// - Parameters:
///   - keyData: For RSA, PKCS #1 in DER with at least 1024 bits. For the curves P-192, P-224, P-256, P-384 and P-521, ANSI X9.63: `04
///     || X || Y`, followed by `K` for a private key.
///   - attributes: `kSecAttrKeyType` and `kSecAttrKeyClass`. A size is ignored, because the bytes determine it. With
///     `kSecAttrTokenID` the key is a key of the chip: the data is ignored, and `toid` holds the value that
///     `SecKeyCopyAttributes` gave under that name. The key obeys `kSecAttrCanSign` and similar attributes that are
///     false, `kSecAttrIsExtractable` false, and `kSecAttrIsSensitive` true.
///   - error: Receives the reason for a failure, unless nil: an error of the domain `NSOSStatusErrorDomain`, which the
///     caller releases. `errSecParam` if the bytes or attributes cannot be read, or if the type of key is not
///     supported; also for a private key in PKCS #8. `errSecUnimplemented` for a symmetric key, and for a chip's key if there is no chip.
/// - Returns: The key, or nil.
@discardableResult
public func SecKeyCreateWithData(
    _ keyData: CFData, _ attributes: CFDictionary, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecKey? {
    answer(to: error) { () throws(KeychainError) in
        try key(of: keyData, attributes)
    }
}

private func key(of data: CFData, _ attributes: CFDictionary) throws(KeychainError) -> SecKey {
    let request = try KeyRequest(attributes)
    if let wrapped = try request.wrappedKey() {
        let permissions = KeyPermissions(try request.permissions(), isPrivate: true)
        return SecKey(try chipKeyMaterial(wrapped: wrapped, by: machineChip()), permitting: permissions)
    }
    guard let side = request.side else { throw .param("the class of the key is missing") }
    let permissions = KeyPermissions(try request.permissions(), isPrivate: side == .privateKey)
    return SecKey(try keyMaterial(request.type, side, from: Secret(data)), permitting: permissions)
}

/// Makes a new private key, and stores it if `kSecAttrIsPermanent` is true. `SecKeyCopyPublicKey` gives its public
/// half.
///
///     let parameters: [CFString: Any] = [
///         kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256,
///         kSecPrivateKeyAttrs: [kSecAttrIsPermanent: true, kSecAttrApplicationTag: Data("org.example.key".utf8)],
///     ]
///     let key = SecKeyCreateRandomKey(parameters as CFDictionary, &error)
///
/// Any process of the application then finds the key with `SecItemCopyMatching` and `kSecReturnRef`. Making an RSA key
/// takes up to some seconds, and blocks the thread. Apple:
/// [SecKeyCreateRandomKey](https://developer.apple.com/documentation/security/seckeycreaterandomkey(_:_:)).
///
/// - Parameters:
///   - parameters: `kSecAttrKeyType` and `kSecAttrKeySizeInBits`, and attributes for the items to store. The size is
///     192, 224, 256, 384 or 521 for a curve, and a multiple of 8 from 1024 to 8192 for RSA.
///
///     `kSecPrivateKeyAttrs` and `kSecPublicKeyAttrs` hold attributes of one key alone, which override the others.
///     `kSecAttrIsPermanent` stores the key for which it is true; at the top level, it stores both.
///
///     `kSecAttrIsExtractable` false or `kSecAttrIsSensitive` true, at the top level or for the private key, prevents
///     the export of its bytes: see `SecKeyCopyExternalRepresentation`. `kSecAttrCanSign` and similar attributes that
///     are false prevent that use.
///
///     `kSecAttrTokenID` with the value `kSecAttrTokenIDSecureEnclave` makes the private key in the machine's TPM, on
///     the curve P-256. docs/key-algorithms.md lists the requirements.
///   - error: Receives the reason for a failure, unless nil, as for `SecKeyCreateWithData`. `errSecKeySizeNotAllowed`
///     for any other size. `errSecUnimplemented` if a key should be made in a chip and there is none. A status of
///     `SecItemAdd` if one of the keys cannot be stored; then neither stays in the keychain.
/// - Returns: The key, or nil.
@discardableResult
public func SecKeyCreateRandomKey(
    _ parameters: CFDictionary, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecKey? {
    answer(to: error) { () throws(KeychainError) in
        try DefaultStore.shared.calls.makeKeys(parameters).privateKey
    }
}

/// Makes a new pair of keys. Deprecated by Apple in favour of `SecKeyCreateRandomKey`. Apple:
/// [SecKeyGeneratePair](https://developer.apple.com/documentation/security/seckeygeneratepair(_:_:_:)).
///
/// - Parameters:
///   - parameters: As for `SecKeyCreateRandomKey`.
///   - publicKey: Receives the public key, unless nil.
///   - privateKey: Receives the private key, unless nil.
/// - Returns: `errSecSuccess`, or the code of the error that `SecKeyCreateRandomKey` gives.
@discardableResult
public func SecKeyGeneratePair(
    _ parameters: CFDictionary, _ publicKey: UnsafeMutablePointer<SecKey?>?,
    _ privateKey: UnsafeMutablePointer<SecKey?>?
) -> OSStatus {
    CallLog.status(of: #function) { () throws(KeychainError) in
        let pair = try DefaultStore.shared.calls.makeKeys(parameters)
        publicKey?.pointee = pair.publicKey
        privateKey?.pointee = pair.privateKey
    }
}

/// A block that receives the keys that `SecKeyGeneratePairAsync` made, or the error.
public typealias SecKeyGeneratePairBlock = (SecKey?, SecKey?, CFError?) -> Void

/// Makes a new pair of keys, and calls back on a queue. Deprecated by Apple in favour of `SecKeyCreateRandomKey`. Apple:
/// [SecKeyGeneratePairAsync](https://developer.apple.com/documentation/security/seckeygeneratepairasync(_:_:_:)).
///
/// - Parameters:
///   - parameters: As for `SecKeyCreateRandomKey`. They are read before the function returns.
///   - deliveryQueue: The queue that calls the block.
///   - result: Receives the public and the private key, or the error of `SecKeyCreateRandomKey`.
public func SecKeyGeneratePairAsync(
    _ parameters: CFDictionary, _ deliveryQueue: DispatchQueue, _ result: @escaping SecKeyGeneratePairBlock
) {
    // Called once, on the queue that the caller names.
    nonisolated(unsafe) let result = result
    DefaultStore.shared.calls.makeKeys(parameters) { publicKey, privateKey, error in
        deliveryQueue.async { result(publicKey, privateKey, error) }
    }
}

/// Makes a key from its external representation. Deprecated by Apple in favour of `SecKeyCreateWithData`. Apple:
/// [SecKeyCreateFromData](https://developer.apple.com/documentation/security/seckeycreatefromdata(_:_:_:)).
///
/// - Returns: The result of `SecKeyCreateWithData`.
@discardableResult
public func SecKeyCreateFromData(
    _ parameters: CFDictionary, _ keyData: CFData, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecKey? {
    SecKeyCreateWithData(keyData, parameters, error)
}

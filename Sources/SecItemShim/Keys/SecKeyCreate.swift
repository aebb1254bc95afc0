// SPDX-License-Identifier: Apache-2.0

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
        return SecKey(try ChipKeyMaterial(wrapped: wrapped), permitting: permissions)
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
    do throws(KeychainError) {
        let pair = try DefaultStore.shared.calls.makeKeys(parameters)
        publicKey?.pointee = pair.publicKey
        privateKey?.pointee = pair.privateKey
        return errSecSuccess
    } catch {
        return error.status
    }
}

/// A block that receives the keys that `SecKeyGeneratePairAsync` made, or the error.
public typealias SecKeyGeneratePairBlock = (SecKey?, SecKey?, CFError?) -> Void

/// Makes a new pair of keys, and calls back on a queue. Deprecated by Apple in favour of `SecKeyCreateRandomKey`. Apple:
/// [SecKeyGeneratePairAsync](https://developer.apple.com/documentation/security/seckeygeneratepairasync(_:_:_:)).
///
/// - Parameters:
///   - parameters: As for `SecKeyCreateRandomKey`. The function copies only the top level, so do not change the nested
///     dictionaries until `result` is called.
///   - deliveryQueue: The queue that calls the block.
///   - result: Receives the public and the private key, or the error of `SecKeyCreateRandomKey`.
public func SecKeyGeneratePairAsync(
    _ parameters: CFDictionary, _ deliveryQueue: DispatchQueue, _ result: @escaping SecKeyGeneratePairBlock
) {
    // Called once, on the queue that the caller names.
    nonisolated(unsafe) let result = result
    nonisolated(unsafe) let parameters = parameters.copy() as? NSDictionary ?? [:]
    DispatchQueue.global().async {
        var error: Unmanaged<CFError>?
        let pair = answer(to: &error) { () throws(KeychainError) in
            try DefaultStore.shared.calls.makeKeys(parameters)
        }
        let failure = error?.takeRetainedValue()
        deliveryQueue.async { result(pair?.publicKey, pair?.privateKey, failure) }
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

/// Gives the public half of a key; for a public key, the key itself. Apple:
/// [SecKeyCopyPublicKey](https://developer.apple.com/documentation/security/seckeycopypublickey(_:)).
@discardableResult
public func SecKeyCopyPublicKey(_ key: SecKey) -> SecKey? {
    key.material.isPrivate ? SecKey(key.material.publicMaterial) : key
}

/// Gives the bytes of a key, in the form that `SecKeyCreateWithData` reads. Apple:
/// [SecKeyCopyExternalRepresentation](https://developer.apple.com/documentation/security/seckeycopyexternalrepresentation(_:_:)).
///
/// - Parameters:
///   - key: The key. The bytes of a private key include its private number.
///   - error: Receives the reason for a failure, unless nil: an error of the domain `NSOSStatusErrorDomain`, which the
///     caller releases. `errSecDataNotAvailable` if the key was made, read or stored with `kSecAttrIsExtractable` false
///     or `kSecAttrIsSensitive` true.
/// - Returns: The bytes, or nil.
@discardableResult
public func SecKeyCopyExternalRepresentation(
    _ key: SecKey, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    answer(to: error) { () throws(KeychainError) in
        try key.leavingRepresentation().resultData
    }
}

/// Describes a key: its type, class, size and permitted uses, and the hash of its public half under
/// `kSecAttrApplicationLabel`. Never its bytes. Apple:
/// [SecKeyCopyAttributes](https://developer.apple.com/documentation/security/seckeycopyattributes(_:)).
@discardableResult
public func SecKeyCopyAttributes(_ key: SecKey) -> CFDictionary? {
    keyAttributes(of: key)
}

/// Gives the block size of a key in bytes: the size of the modulus, or of a coordinate. Apple:
/// [SecKeyGetBlockSize](https://developer.apple.com/documentation/security/seckeygetblocksize(_:)).
@discardableResult
public func SecKeyGetBlockSize(_ key: SecKey) -> Int {
    key.material.blockSize
}

// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// Makes a key of its external representation.
///
///     let attributes = [kSecAttrKeyType: kSecAttrKeyTypeRSA, kSecAttrKeyClass: kSecAttrKeyClassPublic]
///     let key = SecKeyCreateWithData(der as CFData, attributes as CFDictionary, &error)
///
/// Apple: [SecKeyCreateWithData](https://developer.apple.com/documentation/security/seckeycreatewithdata(_:_:_:)).
///
/// - Parameters:
///   - keyData: PKCS #1 in DER for RSA, of at least 1024 bits; ANSI X9.63 (`04 || X || Y`, and `|| K` for a private
///     key) for the curves P-256, P-384 and P-521.
///   - attributes: `kSecAttrKeyType` and `kSecAttrKeyClass`. A size is not looked at: the bytes say it. With
///     `kSecAttrTokenID` the key is one of the chip's: the data is not looked at, and `toid` holds what
///     `SecKeyCopyAttributes` gave under that name. With `kSecAttrCanSign` and its like false, `kSecAttrIsExtractable` false,
///     or `kSecAttrIsSensitive` true, the key keeps to it.
///   - error: Receives, if not nil, why nothing was made: an error of the domain `NSOSStatusErrorDomain`, which the
///     caller releases. `errSecParam` for bytes or attributes that cannot be read and for other types of key,
///     `errSecUnimplemented` for symmetric ones, and for a chip's key where there is no chip.
/// - Returns: The key, or nil.
@discardableResult
public func SecKeyCreateWithData(
    _ keyData: CFData, _ attributes: CFDictionary, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecKey? {
    answer(to: error) { () throws(KeychainError) in
        try FirstUse.performing(#function) { () throws(KeychainError) in try key(of: keyData, attributes) }
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

/// Makes a new private key; `SecKeyCopyPublicKey` gives its public half. With `kSecAttrIsPermanent` it is stored too.
///
///     let parameters: [CFString: Any] = [
///         kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256,
///         kSecPrivateKeyAttrs: [kSecAttrIsPermanent: true, kSecAttrApplicationTag: Data("org.example.key".utf8)],
///     ]
///     let key = SecKeyCreateRandomKey(parameters as CFDictionary, &error)
///
/// Any process of the application then finds the key with `SecItemCopyMatching` and `kSecReturnRef`. Making an RSA key takes
/// up to some seconds, and blocks the thread. Apple:
/// [SecKeyCreateRandomKey](https://developer.apple.com/documentation/security/seckeycreaterandomkey(_:_:)).
///
/// - Parameters:
///   - parameters: `kSecAttrKeyType` and `kSecAttrKeySizeInBits`: 256, 384 or 521 for a curve, a multiple of 8 from
///     1024 to 8192 for RSA. Beside them, attributes of the items to store; in `kSecPrivateKeyAttrs` and `kSecPublicKeyAttrs` those of one
///     key alone, which stand above. `kSecAttrIsPermanent` stores the key for which it is true: at the top, both.
///     `kSecAttrIsExtractable` false or `kSecAttrIsSensitive` true, at the top or for the private key, keeps its bytes
///     inside: see `SecKeyCopyExternalRepresentation`. `kSecAttrTokenID` with `kSecAttrTokenIDSecureEnclave` makes the private
///     key in the machine's TPM, for the curve P-256: docs/key-algorithms.md says what that takes. `kSecAttrCanSign` and its like, false, keep it from that use.
///   - error: Receives, if not nil, why nothing was made, as for `SecKeyCreateWithData`. `errSecKeySizeNotAllowed` for
///     another size, `errSecUnimplemented` where a key is to be made in a chip and there is none, and what
///     `SecItemAdd` answers where a key cannot be stored: then the other is deleted again.
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
///   - publicKey: Receives, if not nil, the public key.
///   - privateKey: Receives, if not nil, the private key.
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

/// What is called with the keys that `SecKeyGeneratePairAsync` made, or the error.
public typealias SecKeyGeneratePairBlock = (SecKey?, SecKey?, CFError?) -> Void

/// Makes a new pair of keys, and calls back on a queue. Deprecated by Apple in favour of `SecKeyCreateRandomKey`. Apple:
/// [SecKeyGeneratePairAsync](https://developer.apple.com/documentation/security/seckeygeneratepairasync(_:_:_:)).
///
/// - Parameters:
///   - parameters: As for `SecKeyCreateRandomKey`; copied at the top level only: leave the dictionaries in it alone until
///     `result` is called.
///   - deliveryQueue: Where the block is called.
///   - result: Called with the public and the private key, or with the error of `SecKeyCreateRandomKey`.
public func SecKeyGeneratePairAsync(
    _ parameters: CFDictionary, _ deliveryQueue: DispatchQueue, _ result: @escaping SecKeyGeneratePairBlock
) {
    // Called once, on the queue that the caller names for it.
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

/// Makes a key of its external representation. Deprecated by Apple in favour of `SecKeyCreateWithData`. Apple:
/// [SecKeyCreateFromData](https://developer.apple.com/documentation/security/seckeycreatefromdata(_:_:_:)).
///
/// - Returns: What `SecKeyCreateWithData` gives.
@discardableResult
public func SecKeyCreateFromData(
    _ parameters: CFDictionary, _ keyData: CFData, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecKey? {
    SecKeyCreateWithData(keyData, parameters, error)
}

/// Gives the public half of a key; a public key gives itself. Apple:
/// [SecKeyCopyPublicKey](https://developer.apple.com/documentation/security/seckeycopypublickey(_:)).
@discardableResult
public func SecKeyCopyPublicKey(_ key: SecKey) -> SecKey? {
    key.material.isPrivate ? SecKey(key.material.publicMaterial) : key
}

/// Gives the bytes of a key, as `SecKeyCreateWithData` takes them. Apple:
/// [SecKeyCopyExternalRepresentation](https://developer.apple.com/documentation/security/seckeycopyexternalrepresentation(_:_:)).
///
/// - Parameters:
///   - key: The key; a private one gives its private number too.
///   - error: Receives, if not nil, why nothing was given: an error of the domain `NSOSStatusErrorDomain`, which the
///     caller releases. `errSecDataNotAvailable` for a key that was made, read or stored with `kSecAttrIsExtractable` false
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

/// Gives what there is to know of a key: type, class, size, what it is for, and the hash of its public half under
/// `kSecAttrApplicationLabel`. Never its bytes. Apple:
/// [SecKeyCopyAttributes](https://developer.apple.com/documentation/security/seckeycopyattributes(_:)).
@discardableResult
public func SecKeyCopyAttributes(_ key: SecKey) -> CFDictionary? {
    keyAttributes(of: key)
}

/// Gives the number of bytes that one step of the key's work takes: those of the modulus, or of a coordinate. Apple:
/// [SecKeyGetBlockSize](https://developer.apple.com/documentation/security/seckeygetblocksize(_:)).
@discardableResult
public func SecKeyGetBlockSize(_ key: SecKey) -> Int {
    key.material.blockSize
}

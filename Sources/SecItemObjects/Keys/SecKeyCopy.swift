// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

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

// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// The result of `SecKeyCopyAttributes`. Truth values are numbers: on Linux, Swift casts those both to `Bool` and to `Int`.
func keyAttributes(of key: SecKey) -> NSDictionary {
    let material = key.material
    let isPrivate = material.isPrivate
    let isRSA = material.type == .rsa
    var attributes: [CFString: Any] = [
        kSecClass: kSecClassKey,
        kSecAttrKeyType: material.type.constant,
        kSecAttrKeyClass: isPrivate ? kSecAttrKeyClassPrivate : kSecAttrKeyClassPublic,
        kSecAttrKeySizeInBits: NSNumber(value: material.sizeInBits),
        kSecAttrEffectiveKeySize: NSNumber(value: material.sizeInBits),
        kSecAttrApplicationLabel: material.publicKeyHash as NSData,
        kSecAttrIsPermanent: NSNumber(value: 0),
        kSecAttrIsExtractable: NSNumber(value: 1),
        kSecAttrIsSensitive: NSNumber(value: 0),
        kSecAttrCanSign: NSNumber(value: isPrivate ? 1 : 0),
        kSecAttrCanVerify: NSNumber(value: isPrivate ? 0 : 1),
        kSecAttrCanEncrypt: NSNumber(value: isPrivate ? 0 : 1),
        // A public RSA key reverses raw signatures.
        kSecAttrCanDecrypt: NSNumber(value: isPrivate || isRSA ? 1 : 0),
        kSecAttrCanDerive: NSNumber(value: isPrivate && !isRSA ? 1 : 0),
        kSecAttrCanWrap: NSNumber(value: isPrivate ? 0 : 1),
        kSecAttrCanUnwrap: NSNumber(value: isPrivate ? 1 : 0),
    ]
    if let token = material.token {
        attributes[kSecAttrTokenID] = token as NSString
        let wrapped = material.storedRepresentation.withUnsafeBytes { ResultData(copying: $0) }
        attributes[KeyRequest.wrappedKeyName as CFString] = wrapped
    }
    for (attribute, value) in key.permissions.attributes {
        attributes[attribute.code as CFString] = value.integer.map { NSNumber(value: $0) }
    }
    return attributes as NSDictionary
}

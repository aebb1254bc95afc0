// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// The result of `SecKeyCopyAttributes`. Truth values are `kCFBooleanTrue` and `kCFBooleanFalse`, which programs in C compare.
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
        kSecAttrIsPermanent: NSNumber(value: false),
        kSecAttrIsExtractable: NSNumber(value: true),
        kSecAttrIsSensitive: NSNumber(value: false),
        kSecAttrCanSign: NSNumber(value: isPrivate),
        kSecAttrCanVerify: NSNumber(value: !isPrivate),
        kSecAttrCanEncrypt: NSNumber(value: !isPrivate),
        // A public RSA key reverses raw signatures.
        kSecAttrCanDecrypt: NSNumber(value: isPrivate || isRSA),
        kSecAttrCanDerive: NSNumber(value: isPrivate && !isRSA),
        kSecAttrCanWrap: NSNumber(value: !isPrivate),
        kSecAttrCanUnwrap: NSNumber(value: isPrivate),
    ]
    if let token = material.token {
        attributes[kSecAttrTokenID] = token as NSString
        let wrapped = material.storedRepresentation.withUnsafeBytes { ResultData(copying: $0) }
        attributes[KeyRequest.wrappedKeyName as CFString] = wrapped
    }
    for (attribute, value) in key.permissions.attributes {
        attributes[attribute.code as CFString] = value.integer.map { NSNumber(value: $0 != 0) }
    }
    return attributes as NSDictionary
}

// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// Makes keys in one process, and uses them in others.
enum KeyProbe {
    private static var message: CFData { Data("message".utf8) as CFData }

    /// Makes a permanent key pair with this tag. Prints how to find each half: its application label and its persistent
    /// reference.
    static func make(_ type: String, _ tag: String) {
        let isRSA = type == "rsa"
        let parameters: [CFString: Any] = [
            kSecAttrKeyType: isRSA ? kSecAttrKeyTypeRSA : kSecAttrKeyTypeECSECPrimeRandom,
            kSecAttrKeySizeInBits: isRSA ? 2048 : 256, kSecAttrIsPermanent: true,
            kSecAttrApplicationTag: Data(tag.utf8), kSecPrivateKeyAttrs: [kSecAttrIsExtractable: false],
        ]
        var error: Unmanaged<CFError>?
        guard let key = SecKeyCreateRandomKey(parameters as CFDictionary, &error) else {
            return say("\(error?.takeRetainedValue().localizedDescription ?? "no key")")
        }
        let label = (SecKeyCopyAttributes(key) as? [CFString: Any])?[kSecAttrApplicationLabel] as? Data
        say(label?.base64EncodedString() ?? "no label")
        for keyClass in [kSecAttrKeyClassPrivate, kSecAttrKeyClassPublic] {
            var result: CFTypeRef?
            let query: [CFString: Any] = [
                kSecClass: kSecClassKey, kSecAttrApplicationTag: Data(tag.utf8), kSecAttrKeyClass: keyClass,
                kSecReturnPersistentRef: true,
            ]
            _ = SecItemCopyMatching(query as CFDictionary, &result)
            say((result as? Data)?.base64EncodedString() ?? "no reference")
        }
    }

    /// Prints a signature made with the key that is found in this way.
    static func sign(_ way: String, _ value: String) {
        guard let key = find(way, value, kSecAttrKeyClassPrivate) else { return say("no key") }
        say((SecKeyCreateSignature(key, algorithm(of: key), message, nil) as Data?)?.base64EncodedString() ?? "nothing")
        say(SecKeyCopyExternalRepresentation(key, nil) == nil ? "kept" : "left")
    }

    /// Prints whether a signature was made with the other half of this key.
    static func verify(_ way: String, _ value: String, _ signature: String) {
        guard let key = find(way, value, kSecAttrKeyClassPublic) else { return say("no key") }
        let signature = (Data(base64Encoded: signature) ?? Data()) as CFData
        say("\(SecKeyVerifySignature(key, algorithm(of: key), message, signature, nil))")
    }

    private static func find(_ way: String, _ value: String, _ keyClass: CFString) -> SecKey? {
        var query: [CFString: Any] = [kSecReturnRef: true]
        if way == "reference" {
            query[kSecValuePersistentRef] = Data(base64Encoded: value)
        } else {
            query[kSecClass] = kSecClassKey
            query[kSecAttrKeyClass] = keyClass
        }
        if way == "tag" { query[kSecAttrApplicationTag] = Data(value.utf8) }
        if way == "label" { query[kSecAttrApplicationLabel] = Data(base64Encoded: value) }
        var result: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &result)
        if status != errSecSuccess { say("\(status)") }
        return result as? SecKey
    }

    private static func algorithm(of key: SecKey) -> SecKeyAlgorithm {
        SecKeyIsAlgorithmSupported(key, .sign, .rsaSignatureMessagePSSSHA256)
            || SecKeyIsAlgorithmSupported(key, .verify, .rsaSignatureMessagePSSSHA256)
            ? .rsaSignatureMessagePSSSHA256 : .ecdsaSignatureMessageX962SHA256
    }
}

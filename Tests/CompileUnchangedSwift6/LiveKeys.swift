// SPDX-License-Identifier: Apache-2.0

// Keys that are stored as objects under a tag, and used after a look-up.
// swift-format-ignore-file: NeverForceUnwrap

import Foundation
import Security

private struct KeyChest {
    let tag: String

    func key() throws -> SecKey {
        var item: CFTypeRef?
        let status = SecItemCopyMatching(query.merging([kSecReturnRef as String: true]) { $1 } as CFDictionary, &item)
        switch status {
        case errSecSuccess: return item as! SecKey
        case errSecItemNotFound: return try make()
        default: throw NSError(domain: NSOSStatusErrorDomain, code: Int(status))
        }
    }

    func sign(_ message: Data) throws -> Data {
        var error: Unmanaged<CFError>?
        guard
            let signature = SecKeyCreateSignature(
                try key(), .ecdsaSignatureMessageX962SHA256, message as CFData, &error) as Data?
        else { throw error!.takeRetainedValue() as Error }
        return signature
    }

    private func make() throws -> SecKey {
        let attributes: [String: Any] = [
            kSecAttrKeyType as String: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits as String: 256,
        ]
        var error: Unmanaged<CFError>?
        guard let key = SecKeyCreateRandomKey(attributes as CFDictionary, &error) else {
            throw error!.takeRetainedValue() as Error
        }
        let item = query.merging([kSecValueRef as String: key]) { $1 }
        guard SecItemAdd(item as CFDictionary, nil) == errSecSuccess else { throw Failure(description: "not added") }
        return key
    }

    private var query: [String: Any] {
        [
            kSecClass as String: kSecClassKey, kSecAttrApplicationTag as String: tag.data(using: .utf8)!,
            kSecAttrKeyType as String: kSecAttrKeyTypeECSECPrimeRandom,
        ]
    }
}

@Sendable func checkLiveKeys() throws {
    let chest = KeyChest(tag: "com.example.keys.mine")
    let signature = try chest.sign(Data("message".utf8))
    let publicKey = SecKeyCopyPublicKey(try chest.key())!
    try expect(
        SecKeyVerifySignature(
            publicKey, .ecdsaSignatureMessageX962SHA256, Data("message".utf8) as CFData, signature as CFData, nil))
    try expect(try chest.key() == chest.key())
    try expect(try KeyChest(tag: "com.example.keys.other").key() != chest.key())
}

// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

// Searches this process's memory for the bytes of live keys.

/// Makes keys from the needles "curve" and "rsa", uses them, and searches the process's memory after each step.
func lookAtKeys(_ masked: String) {
    guard let room = SearchRoom(masked: masked) else { return failure("no room to search") }
    let canary = room["canary"].map { Array($0.bytes) }
    LinuxKeychain.use(.inMemory)
    useAndLook(room)
    look("released", room)
    withExtendedLifetime(canary) {}
}

private func useAndLook(_ room: SearchRoom) {
    guard let curve = key(kSecAttrKeyTypeECSECPrimeRandom, room["curve"]),
        let rsa = key(kSecAttrKeyTypeRSA, room["rsa"])
    else { return failure("no keys") }
    let keys = [curve, rsa]
    guard keys.allSatisfy(isUsable) else { return failure("a key cannot be used") }
    look("used", room)
    guard keys.allSatisfy(isStoredAndFound) else { return failure("a key cannot be stored") }
    look("stored", room)
    let given = keys.map { SecKeyCopyExternalRepresentation($0, nil) }
    look("given", room)
    withExtendedLifetime(given) {}
}

/// The key with the bytes of the needle. No copy is made on the way.
private func key(_ type: CFString, _ needle: Needle?) -> SecKey? {
    guard let needle, let start = needle.bytes.baseAddress else { return nil }
    let bytes = NSData(
        bytesNoCopy: UnsafeMutableRawPointer(mutating: start), length: needle.bytes.count, freeWhenDone: false)
    let attributes = [kSecAttrKeyType: type, kSecAttrKeyClass: kSecAttrKeyClassPrivate]
    return SecKeyCreateWithData(bytes, attributes as CFDictionary, nil)
}

/// Uses a private key in each way that swift-crypto supports.
private func isUsable(_ key: SecKey) -> Bool {
    let message = Data("message".utf8) as CFData
    guard let publicKey = SecKeyCopyPublicKey(key), SecKeyCopyAttributes(key) != nil else { return false }
    let signs = [
        SecKeyAlgorithm.ecdsaSignatureMessageX962SHA256, .rsaSignatureMessagePKCS1v15SHA256,
        .rsaSignatureMessagePSSSHA256,
    ].filter { SecKeyIsAlgorithmSupported(key, .sign, $0) }.allSatisfy { algorithm in
        SecKeyCreateSignature(key, algorithm, message, nil).map {
            SecKeyVerifySignature(publicKey, algorithm, message, $0, nil)
        } ?? false
    }
    let decrypts = [
        SecKeyAlgorithm.eciesEncryptionStandardX963SHA256AESGCM, .rsaEncryptionOAEPSHA256, .rsaEncryptionPKCS1,
    ].filter { SecKeyIsAlgorithmSupported(key, .decrypt, $0) }.allSatisfy { algorithm in
        SecKeyCreateEncryptedData(publicKey, algorithm, message, nil).flatMap {
            SecKeyCreateDecryptedData(key, algorithm, $0, nil)
        } == message
    }
    let agrees =
        !SecKeyIsAlgorithmSupported(key, .keyExchange, .ecdhKeyExchangeStandard)
        || SecKeyCopyKeyExchangeResult(key, .ecdhKeyExchangeStandard, publicKey, [:] as CFDictionary, nil) != nil
    return signs && decrypts && agrees
}

/// Stores the key, looks it up, uses the found key, and deletes it.
private func isStoredAndFound(_ key: SecKey) -> Bool {
    guard SecItemAdd([kSecValueRef: key] as CFDictionary, nil) == errSecSuccess else { return false }
    var result: CFTypeRef?
    let query: [CFString: Any] = [
        kSecClass: kSecClassKey, kSecAttrKeyClass: kSecAttrKeyClassPrivate, kSecReturnRef: true,
    ]
    guard SecItemCopyMatching(query as CFDictionary, &result) == errSecSuccess, let found = result as? SecKey else {
        return false
    }
    return found == key && isUsable(found) && SecItemDelete([kSecValueRef: key] as CFDictionary) == errSecSuccess
}

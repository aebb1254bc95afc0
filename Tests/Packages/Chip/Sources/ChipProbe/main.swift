// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

// Another process than that of the tests, with its own way to the chip: SECITEM_TPM and SECITEM_DIRECTORY say which.
//
//     ChipProbe sign TAG              signs with the key of that tag, and verifies; "ok", or the status
//     ChipProbe add ACCOUNT           adds a password; the status
//     ChipProbe find ACCOUNT          the password, or the status
//     ChipProbe protect               has the chosen protection be the store's; "ok", or the status
//     ChipProbe summary               what LinuxKeychain.storeSummary says

func sign(_ tag: String) -> String {
    let query: [CFString: Any] = [
        kSecClass: kSecClassKey, kSecAttrKeyClass: kSecAttrKeyClassPrivate, kSecAttrApplicationTag: Data(tag.utf8),
        kSecReturnRef: true,
    ]
    var result: CFTypeRef?
    let status = SecItemCopyMatching(query as CFDictionary, &result)
    guard status == errSecSuccess, let key = result as? SecKey else { return "\(status)" }
    let message = Data("message".utf8) as CFData
    var error: Unmanaged<CFError>?
    guard let signature = SecKeyCreateSignature(key, .ecdsaSignatureMessageX962SHA256, message, &error),
        let publicKey = SecKeyCopyPublicKey(key)
    else { return "\(error?.takeRetainedValue().code ?? 0)" }
    return SecKeyVerifySignature(publicKey, .ecdsaSignatureMessageX962SHA256, message, signature, nil) ? "ok" : "wrong"
}

func password(_ account: String) -> [CFString: Any] {
    [kSecClass: kSecClassGenericPassword, kSecAttrAccount: account, kSecAttrService: "chip"]
}

func find(_ account: String) -> String {
    var query = password(account)
    query[kSecReturnData] = true
    var result: CFTypeRef?
    let status = SecItemCopyMatching(query as CFDictionary, &result)
    return (result as? Data).map { String(decoding: $0, as: UTF8.self) } ?? "\(status)"
}

func protect() -> String {
    do {
        try LinuxKeychain.setPassphrase(nil)
        return "ok"
    } catch {
        return "\((error as? LinuxKeychain.Failure)?.status ?? 0)"
    }
}

LinuxKeychain.applicationIdentifier = "org.example.chip"
let arguments = CommandLine.arguments.dropFirst()
let argument = arguments.dropFirst().first ?? ""
switch arguments.first {
case "sign": print(sign(argument))
case "add":
    var item = password(argument)
    item[kSecValueData] = Data("secret of \(argument)".utf8)
    print(SecItemAdd(item as CFDictionary, nil))
case "find": print(find(argument))
case "protect": print(protect())
case "summary": print((try? LinuxKeychain.storeSummary) ?? "none")
default: exit(64)
}

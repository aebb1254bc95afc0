// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemMaintenance
import Security

// Another process than that of the tests, with its own way to the chip: SECITEM_TPM and SECITEM_DIRECTORY say which.
//
//     ChipProbe sign TAG              signs with the key of that tag, and verifies; "ok", or the status
//     ChipProbe add ACCOUNT           adds a password; the status
//     ChipProbe find ACCOUNT          the password, or the status
//     ChipProbe protect               has the chosen protection be the store's; "ok", or the status
//     ChipProbe seal                  has the chip seal the key file of a shared keychain; "ok", or the status
//     ChipProbe join TOKEN            joins a shared keychain; "ok", or the status
//     ChipProbe hold ACCOUNT          finds the password, says so, waits for a line, and finds it again
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
    query[kSecAttrSynchronizable] = kSecAttrSynchronizableAny
    var result: CFTypeRef?
    let status = SecItemCopyMatching(query as CFDictionary, &result)
    return (result as? Data).map { String(decoding: $0, as: UTF8.self) } ?? "\(status)"
}

/// "ok", or the status.
func result(_ body: () throws -> Void) -> String {
    do {
        try body()
        return "ok"
    } catch {
        return "\((error as? LinuxKeychain.Failure)?.status ?? 0)"
    }
}

func hold(_ account: String) -> String {
    print(find(account))
    fflush(nil)
    _ = readLine()
    return find(account)
}

LinuxKeychain.applicationIdentifier = "org.example.chip"
// The program's own choice, instead of the environment's.
let keyFile = ProcessInfo.processInfo.environment["SECITEM_POSTGRESQL_KEY_FILE"].map { URL(fileURLWithPath: $0) }
switch ProcessInfo.processInfo.environment["CHIP_PROBE_STORE"] {
case "tpm": LinuxKeychain.use(.postgreSQL(keyFile: keyFile, passphrase: .tpm))
case "none": LinuxKeychain.use(.postgreSQL(keyFile: keyFile, passphrase: .none))
case "synchronizable":
    LinuxKeychain.use(
        .synchronizable(in: .postgreSQL(keyFile: keyFile, passphrase: .tpm), others: .embedded(passphrase: .none)))
default: break
}
let arguments = CommandLine.arguments.dropFirst()
let argument = arguments.dropFirst().first ?? ""
switch arguments.first {
case "sign": print(sign(argument))
case "add":
    var item = password(argument)
    item[kSecValueData] = Data("secret of \(argument)".utf8)
    if ProcessInfo.processInfo.environment["CHIP_PROBE_STORE"] == "synchronizable" {
        item[kSecAttrSynchronizable] = true
    }
    print(SecItemAdd(item as CFDictionary, nil))
case "find": print(find(argument))
case "protect": print(result { try LinuxKeychain.setPassphrase(nil) })
case "seal": print(result { try LinuxKeychain.sealKeyFile() })
case "join": print(result { try LinuxKeychain.join(Data(argument.utf8)) })
case "hold": print(hold(argument))
case "summary": print((try? LinuxKeychain.storeSummary) ?? "none")
default: exit(64)
}

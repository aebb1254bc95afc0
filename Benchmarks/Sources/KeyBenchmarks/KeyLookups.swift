// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// Look-ups in the embedded store: of a key by its tag, with its reference and with its data, and of a password.
struct KeyLookups {
    private let tag = Data("org.example.key.77".utf8)

    init(folder: String) throws {
        LinuxKeychain.use(.embedded(directory: URL(fileURLWithPath: folder), passphrase: .none))
        for number in 0..<100 {
            let parameters: [String: Any] = [
                kSecAttrKeyType as String: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits as String: 256,
                kSecPrivateKeyAttrs as String: [
                    kSecAttrIsPermanent as String: true,
                    kSecAttrApplicationTag as String: Data("org.example.key.\(number)".utf8),
                ],
            ]
            _ = try require(SecKeyCreateRandomKey(parameters as CFDictionary, nil))
            let password: [CFString: Any] = [
                kSecClass: kSecClassGenericPassword, kSecAttrService: "mail", kSecAttrAccount: "\(number)",
                kSecValueData: Data(count: 97),
            ]
            guard SecItemAdd(password as CFDictionary, nil) == errSecSuccess else { throw Failure(what: "password") }
        }
    }

    private func findPassword() throws {
        let query: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: "mail",
            kSecAttrAccount as String: "77", kSecReturnData as String: true,
        ]
        var result: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &result)
        guard status == errSecSuccess, result != nil else { throw Failure(what: "look-up: \(status)") }
    }

    private func find(_ kind: CFString) throws {
        let query: [String: Any] = [
            kSecClass as String: kSecClassKey, kSecAttrApplicationTag as String: tag, kind as String: true,
        ]
        var result: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &result)
        guard status == errSecSuccess, result != nil else { throw Failure(what: "look-up: \(status)") }
    }

    func measure() throws -> [String] {
        let data = try Pair(repeating: 100, base: findPassword, product: { try find(kSecReturnData) })
        let reference = try Pair(
            repeating: 100, base: { try find(kSecReturnData) }, product: { try find(kSecReturnRef) })
        return [
            data.row("a key by its tag, with its data", beside: "a password, with its data"),
            reference.row("a key by its tag, with its reference", beside: "the key with its data"),
        ]
    }
}

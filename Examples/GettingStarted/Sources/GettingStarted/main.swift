// SPDX-License-Identifier: Apache-2.0

import Security

let item: [CFString: Any] = [
    kSecClass: kSecClassGenericPassword,
    kSecAttrService: "org.example.mail",
    kSecAttrAccount: "anna",
]

// Store a password, or replace the one that is there.
let password = [kSecValueData: Data("correct horse".utf8)]
var status = SecItemAdd(item.merging(password) { $1 } as CFDictionary, nil)
if status == errSecDuplicateItem {
    status = SecItemUpdate(item as CFDictionary, password as CFDictionary)
}
print(SecCopyErrorMessageString(status, nil) ?? "")

// Read it back, in this process or any later one.
var result: CFTypeRef?
status = SecItemCopyMatching(item.merging([kSecReturnData: true]) { $1 } as CFDictionary, &result)
if status == errSecSuccess, let data = result as? Data {
    print(String(decoding: data, as: UTF8.self))
}

SecItemDelete(item as CFDictionary)

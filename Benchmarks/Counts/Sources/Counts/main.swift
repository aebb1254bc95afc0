// SPDX-License-Identifier: Apache-2.0

// Makes calls on the embedded store in SECITEM_DIRECTORY, so that `run` beside the package can count their
// instructions.
//
//   Counts fill COUNT | find ROUNDS | find-all ROUNDS | read-all ROUNDS | add ROUNDS | update ROUNDS | delete ROUNDS

import Foundation
import Security

func item(_ account: String) -> [String: Any] {
    [
        kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: "counts",
        kSecAttrAccount as String: account,
    ]
}

func check(_ status: OSStatus, _ isRight: Bool = true) {
    if status == errSecSuccess && isRight { return }
    print("status \(status)")
    exit(1)
}

func add(_ account: String) {
    var attributes = item(account)
    attributes[kSecAttrLabel as String] = "label"
    attributes[kSecValueData as String] = Data("secret".utf8)
    check(SecItemAdd(attributes as CFDictionary, nil))
}

func find(_ account: String) {
    var query = item(account)
    query[kSecReturnData as String] = true
    var result: CFTypeRef?
    let status = SecItemCopyMatching(query as CFDictionary, &result)
    check(status, (result as? Data)?.count == 6)
}

func findAll() -> CFTypeRef? {
    let query: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: "counts",
        kSecMatchLimit as String: kSecMatchLimitAll, kSecReturnAttributes as String: true,
        kSecReturnData as String: true,
    ]
    var result: CFTypeRef?
    check(SecItemCopyMatching(query as CFDictionary, &result))
    return result
}

func update(_ account: String) {
    let changes = [kSecValueData as String: Data("changed".utf8)]
    check(SecItemUpdate(item(account) as CFDictionary, changes as CFDictionary))
}

func delete(_ account: String) {
    check(SecItemDelete(item(account) as CFDictionary))
}

let arguments = CommandLine.arguments
let rounds = Int(arguments.last ?? "") ?? 0
switch arguments.dropFirst().first {
case "fill": for number in 0..<rounds { add("\(number)") }
case "find": for number in 0..<rounds { find("\(number % 10)") }
case "find-all": for _ in 0..<rounds { check(errSecSuccess, (findAll() as? NSArray)?.count == 10) }
case "read-all": for _ in 0..<rounds { check(errSecSuccess, (findAll() as? [[String: Any]])?.count == 10) }
case "add": for number in 0..<rounds { add("new \(number)") }
case "update": for number in 0..<rounds { update("\(number % 10)") }
case "delete": for number in 0..<rounds { delete("\(number)") }
default: check(errSecParam)
}

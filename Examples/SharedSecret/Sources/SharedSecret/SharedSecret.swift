// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// Reads and writes one password by service and account. `secret-tool lookup service S username U` prints the same
/// password.
@main
enum SharedSecret {
    static let usage = """
        Usage: shared-secret put SERVICE ACCOUNT PASSWORD   store a password
               shared-secret get SERVICE ACCOUNT            print it, whoever stored it
               shared-secret remove SERVICE ACCOUNT         delete it
               shared-secret where                          say which store answers, and why
        """

    static func main() throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        switch (arguments.first, arguments.count) {
        case ("put", 4): put(item(arguments), Data(arguments[3].utf8))
        case ("get", 3): get(item(arguments))
        case ("remove", 3): check(SecItemDelete(item(arguments) as CFDictionary))
        case ("where", 1): print(try LinuxKeychain.storeSummary)
        default:
            print(usage)
            exit(64)
        }
    }

    private static func item(_ arguments: [String]) -> [CFString: Any] {
        [kSecClass: kSecClassGenericPassword, kSecAttrService: arguments[1], kSecAttrAccount: arguments[2]]
    }

    private static func put(_ item: [CFString: Any], _ password: Data) {
        check(SecItemAdd(item.merging([kSecValueData: password]) { $1 } as CFDictionary, nil))
    }

    private static func get(_ item: [CFString: Any]) {
        var result: CFTypeRef?
        check(SecItemCopyMatching(item.merging([kSecReturnData: true]) { $1 } as CFDictionary, &result))
        if let data = result as? Data { print(String(decoding: data, as: UTF8.self)) }
    }

    private static func check(_ status: OSStatus) {
        guard status != errSecSuccess else { return }
        let sentence = SecCopyErrorMessageString(status, nil).map { $0 as String } ?? ""
        FileHandle.standardError.write(Data("shared-secret: \(sentence) (\(status))\n".utf8))
        exit(1)
    }
}

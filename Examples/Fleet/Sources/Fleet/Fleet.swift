// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// A token that all machines of a fleet use and any of them can replace.
///
/// `SECITEM_POSTGRESQL` names the database, and `SECITEM_POSTGRESQL_KEY_FILE` the file with the device key, which every
/// machine needs.
@main
enum Fleet {
    static let usage = """
        Usage: fleet rotate TOKEN   store a new token in place of the old one
               fleet watch          print the token, and each new one, until the program is ended
               fleet where          say which store answers, and why
        """

    /// The same on every machine, whatever its programs are called.
    private static var token: [CFString: Any] {
        [kSecClass: kSecClassGenericPassword, kSecAttrService: "api.example.org", kSecAttrAccount: "fleet"]
    }

    static func main() async throws {
        LinuxKeychain.applicationIdentifier = "org.example.fleet"
        LinuxKeychain.use(.postgreSQL())
        let arguments = Array(CommandLine.arguments.dropFirst())
        switch (arguments.first, arguments.count) {
        case ("rotate", 2): rotate(Data(arguments[1].utf8))
        case ("watch", 1): try await watch()
        case ("where", 1): print(try LinuxKeychain.storeSummary)
        default:
            print(usage)
            exit(64)
        }
    }

    /// Replaces the token in one transaction. Two machines that do this at the same time leave one of their tokens.
    private static func rotate(_ new: Data) {
        let change = [kSecValueData: new] as CFDictionary
        var status = SecItemUpdate(token as CFDictionary, change)
        if status == errSecItemNotFound {
            status = SecItemAdd(token.merging([kSecValueData: new]) { $1 } as CFDictionary, nil)
            // Another machine was faster.
            if status == errSecDuplicateItem { status = SecItemUpdate(token as CFDictionary, change) }
        }
        if status != errSecSuccess { fail(status) }
    }

    /// Looks whenever another machine has changed something. While the server is away, the last token stays in use.
    private static func watch() async throws {
        var last: Data?
        for await _ in try LinuxKeychain.changes {
            var result: CFTypeRef?
            let status = SecItemCopyMatching(token.merging([kSecReturnData: true]) { $1 } as CFDictionary, &result)
            switch status {
            case errSecSuccess:
                if let current = result as? Data, current != last {
                    // Written at once, also where the output is no terminal.
                    FileHandle.standardOutput.write(current + Data("\n".utf8))
                    last = current
                }
            // The stream says when the server is there again.
            case errSecItemNotFound, errSecNotAvailable: break
            default: fail(status)
            }
        }
    }

    private static func fail(_ status: OSStatus) -> Never {
        let sentence = SecCopyErrorMessageString(status, nil).map { $0 as String } ?? ""
        FileHandle.standardError.write(Data("fleet: \(sentence) (\(status))\n".utf8))
        exit(1)
    }
}

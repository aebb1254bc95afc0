// SPDX-License-Identifier: Apache-2.0

import FXKeychain
import Foundation

/// Stores a password and a list in the keychain, reads both back and deletes them.
@main struct UseFXKeychain {
    static func main() {
        let keychain = FXKeychain.default
        print("service: \(keychain.service ?? "any")")

        guard keychain.setObject("correct horse", forKey: "password") else {
            print("not stored: status \(keychain.lastStatus)")
            exit(1)
        }
        keychain["servers"] = ["a.example.com", "b.example.com"]
        print("password: \(keychain["password"] as? String ?? "none")")
        print("servers: \(keychain["servers"] as? [String] ?? [])")

        let unsupported: [String: Any] = ["when": Date(), "where": URL(fileURLWithPath: "/")]
        if !keychain.setObject(unsupported, forKey: "bad"), let error = keychain.lastError {
            print("refused: \(error)")
        }

        keychain["password"] = nil
        keychain["servers"] = nil
        print("afterwards: \(keychain["password"] ?? "none")")
    }
}

// SPDX-License-Identifier: Apache-2.0

import Foundation
import KCMutableDictionary
import Security

/// A dictionary in the keychain that is used while its store asks for a passphrase.
enum Questions {
    private static func use(_ folder: String, _ passphrase: @escaping @Sendable () -> Data?) {
        let directory = URL(fileURLWithPath: folder).appendingPathComponent("store")
        LinuxKeychain.use(.embedded(directory: directory, passphrase: .closure { passphrase() }))
    }

    /// The closure reads and changes the dictionary that needs the passphrase. Both fail, and then the closure answers.
    static func askFromWithin(folder: String) throws {
        use(folder) {
            let dictionary = KCMutableDictionary.dictionary(withName: "settings")
            dictionary["from within"] = true
            guard dictionary.lastError?.status == errSecInteractionNotAllowed else { exit(3) }
            return Data("passphrase".utf8)
        }
        let dictionary = KCMutableDictionary.dictionary(withName: "settings")
        dictionary["from outside"] = true
        guard dictionary.lastError == nil, dictionary.count == 1 else {
            throw Broken(description: "\(dictionary.count) entries, \(String(describing: dictionary.lastError))")
        }
    }
}

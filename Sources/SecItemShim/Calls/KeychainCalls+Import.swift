// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

extension KeychainCalls {
    /// Reads a PKCS #12 file, and adds its content to the keychain if the options ask for that: `SecPKCS12Import`.
    package func importPKCS12(
        _ file: CFData, _ options: CFDictionary, _ items: UnsafeMutablePointer<CFArray?>
    ) -> OSStatus {
        CallLog.status(of: "SecPKCS12Import") { () throws(KeychainError) in
            let request = try PKCS12Request(options)
            let results = NSMutableArray()
            var added: [NewItem] = []
            for (identity, chain, result) in try ImportedIdentity.read(file, request.passphrase) {
                results.add(result)
                added += try request.items(for: identity, chain: chain)
            }
            try addImported(added)
            items.pointee = results.copy() as? NSArray
        }
    }

    /// Adds the items of a file that do not exist yet. An existing key with another protection does not count as the
    /// same key. A person is asked once for the password of all items.
    ///
    /// - Throws: The status of `SecItemAdd` for the first item that cannot be added. Earlier items stay.
    private func addImported(_ items: [NewItem]) throws(KeychainError) {
        guard let first = items.first else { return }
        let engine = try engine(first.interaction)
        let password = engine.newPassword(first.asking)
        for item in items { try engine.addUnlessThere(item, password) }
    }
}

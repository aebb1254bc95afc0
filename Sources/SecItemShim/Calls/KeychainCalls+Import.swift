// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

extension KeychainCalls {
    /// Reads a PKCS #12 file, and adds what it holds to the keychain where the options want that: `SecPKCS12Import`.
    package func importPKCS12(
        _ file: CFData, _ options: CFDictionary, _ items: UnsafeMutablePointer<CFArray?>
    ) -> OSStatus {
        Self.status(of: "SecPKCS12Import") { () throws(KeychainError) in
            let request = try PKCS12Request(options)
            var budget = DerivationBudget()
            let bags = try FirstUse.performing("import of PKCS #12") { () throws(KeychainError) in
                try PKCS12File(FileBytes.slice(file)).bags(request.passphrase, &budget)
            }
            let results = NSMutableArray()
            var added: [NewItem] = []
            for identity in bags.identities {
                let trust = try identity.evaluatedTrust()
                results.add(identity.rendered(trust.object, trust.chain))
                added += try request.items(for: identity.identity, chain: trust.chain)
            }
            try addImported(added)
            items.pointee = results.copy() as? NSArray
        }
    }

    /// Adds items of a file, as far as they are not there yet. A key that is there is not taken for one with
    /// another protection.
    ///
    /// - Throws: As `SecItemAdd` answers, for the first that cannot be added; those before it stay.
    private func addImported(_ items: [NewItem]) throws(KeychainError) {
        guard let first = items.first else { return }
        let engine = try engine(first.interaction)
        for item in items { try engine.addUnlessThere(item) }
    }
}

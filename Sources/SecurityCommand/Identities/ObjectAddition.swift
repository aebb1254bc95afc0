// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemShim

/// Adds certificates, keys and identities to a keychain.
struct ObjectAddition {
    private let keychain: Keychain
    /// What is said of each key beside what it brings along.
    var ofKeys: [CFString: Any] = [:]

    init(_ keychain: Keychain) {
        self.keychain = keychain
    }

    /// Adds what is not there yet: a certificate of an authority is in many files.
    ///
    /// - Returns: How many were added. Those before one that cannot be added stay.
    func add(_ objects: [AnyObject]) throws -> Int {
        try objects.filter(isAdded).count
    }

    private func isAdded(_ object: AnyObject) throws -> Bool {
        guard let identity = object as? SecIdentity else { return try isAddedAlone(object) }
        var key: SecKey?
        guard SecIdentityCopyPrivateKey(identity, &key) == errSecSuccess, let key,
            let certificate = identity.certificate
        else { throw CommandFailure("SecKeychainItemImport", errSecDecode) }
        // One of the two may be there.
        let isKeyAdded = try isAddedAlone(key, label: key.name ?? certificate.summary)
        return try isAddedAlone(certificate) || isKeyAdded
    }

    private func isAddedAlone(_ object: AnyObject, label: String? = nil) throws -> Bool {
        var item: [CFString: Any] = [kSecValueRef: object]
        if object is SecKey {
            item.merge(ofKeys) { $1 }
            if item[kSecAttrLabel] == nil { item[kSecAttrLabel] = label ?? (object as? SecKey)?.name ?? "Imported Key" }
        } else if let certificate = object as? SecCertificate {
            item[kSecAttrLabel] = certificate.summary
        }
        let new = item as CFDictionary
        return try keychain.perform("SecKeychainItemImport") { calls throws(KeychainError) -> Bool in
            do throws(KeychainError) {
                _ = try calls.add(item: new)
                return true
            } catch {
                if error.status == errSecDuplicateItem { return false }
                throw error
            }
        }
    }
}

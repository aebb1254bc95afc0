// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemShim

/// Looks for items in keychains, one after another.
struct ItemSearch {
    /// What the items have to be like: Apple's keys and values.
    var query: [CFString: Any]
    /// Whether their data are wanted.
    var wantsData = false

    /// The items of all applications, synchronizable or not.
    init(_ itemClass: CFString, _ attributes: [CFString: Any] = [:], accessGroup: String? = nil) {
        query = attributes.merging([
            kSecClass: itemClass, kSecAttrSynchronizable: kSecAttrSynchronizableAny,
            kSecReturnAttributes: true, kSecReturnPersistentRef: true,
        ]) { $1 }
        if let accessGroup { query[kSecAttrAccessGroup] = accessGroup }
    }

    /// The first item that the keychains have, which are opened one after another.
    ///
    /// - Throws: ``CommandFailure`` with `errSecItemNotFound` when none has one; with the first failure where one of them
    ///   could not be looked through.
    func first(in keychains: [KeychainName]) throws -> FoundEntry {
        var failure: CommandFailure?
        for name in keychains {
            do {
                // Some users have no embedded store beside the login keychain.
                guard let keychain = try name == .embedded ? Keychain.embedded() : Keychain.open(name) else { continue }
                if let entry = try entries(in: keychain, limit: kSecMatchLimitOne).first { return entry }
            } catch let error as CommandFailure {
                failure = failure ?? error
            }
        }
        throw failure ?? CommandFailure("SecKeychainSearchCopyNext", errSecItemNotFound)
    }

    /// All items of one keychain, oldest first. None is no failure.
    func all(in keychain: Keychain) throws -> [FoundEntry] {
        try entries(in: keychain, limit: kSecMatchLimitAll)
    }

    private func entries(in keychain: Keychain, limit: CFString) throws -> [FoundEntry] {
        let query = query.merging([kSecMatchLimit: limit, kSecReturnData: wantsData]) { $1 }
        let found = try keychain.perform("SecKeychainSearchCopyNext") { calls throws(KeychainError) -> AnyObject? in
            do throws(KeychainError) {
                return try calls.copy(matching: query as CFDictionary)
            } catch {
                if error.status == errSecItemNotFound { return nil }
                throw error
            }
        }
        if let array = found as? NSArray { return array.compactMap { FoundEntry($0, in: keychain) } }
        return FoundEntry(found, in: keychain).map { [$0] } ?? []
    }
}

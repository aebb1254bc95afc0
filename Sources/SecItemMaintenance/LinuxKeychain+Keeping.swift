// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import SecItemShim
import SecItemStore

extension LinuxKeychain {
    /// Gives the embedded store new keys, all of them, and seals each item anew: what to call when its files or keys have got
    /// into other hands. Secrets that somebody may have read have to be changed, too.
    ///
    /// The passphrase stays, or what else protects the store. A crash at any moment leaves either the old store whole or the
    /// new one. Other programs that have the store open are answered `errSecNotAvailable` until they start anew.
    ///
    /// - Parameter passphrase: The passphrase, or nil to take it from where the store was told to look.
    /// - Returns: How many items were sealed anew, of all applications.
    /// - Throws: ``LinuxKeychain/Failure`` with `errSecAuthFailed` when the passphrase is wrong, `errSecDecode` when an item is
    ///   damaged and would be lost, `errSecUnimplemented` when the store is not the embedded one. Then nothing has changed.
    @discardableResult
    public static func rekey(passphrase: Data? = nil) throws -> Int {
        let secret = passphrase.map { Secret($0) }
        return try failing { () throws(KeychainError) in
            let store = try chosenStore().store
            do throws(StoreError) {
                let count = try Rekey.run(store, passphrase: secret)
                reopen()
                return count
            } catch {
                throw KeychainError(error)
            }
        }
    }
}

/// New keys for a store.
package enum Rekey {
    /// - Returns: How many items were sealed anew; 0 where there is no store yet.
    /// - Throws: ``StoreError/Code/unsupported`` when the store has no keys of its own; otherwise as `SQLiteStore.rekey` does.
    package static func run(_ store: any KeychainStore, passphrase: Secret?) throws(StoreError) -> Int {
        if let store = try store.embedded { return try store.rekey(passphrase: passphrase) }
        guard store.innermost is any SurveyableStore else {
            throw StoreError(.unsupported, "only the embedded store has keys of its own")
        }
        return 0
    }
}

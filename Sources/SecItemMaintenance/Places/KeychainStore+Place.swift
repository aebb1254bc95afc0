// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemSQLite
import SecItemStore

extension KeychainStore {
    /// Whether the other store keeps its items in the same place, as far as that can be told.
    ///
    /// - Throws: As ``DiagnosableStore/isSamePlace(as:)``.
    func isSamePlace(as other: any KeychainStore) throws(StoreError) -> Bool {
        let own = innermost, other = other.innermost
        // What is deleted from one of its places would be gone from the other store, too.
        if let own = own as? any DividedStore {
            if try own.local.isSamePlace(as: other) { return true }
            return try own.shared.isSamePlace(as: other)
        }
        if other is any DividedStore { return try other.isSamePlace(as: own) }
        if let own = own.databasePath, let other = other.databasePath {
            return own.utf8.elementsEqual(other.utf8) || Self.isSameFile(own, other)
        }
        if let own = own as? any DiagnosableStore { return try own.isSamePlace(as: other) }
        if own is InMemoryStore || other is InMemoryStore { return own as AnyObject === other as AnyObject }
        // A session has one Secret Service.
        return type(of: own) == type(of: other)
    }

    /// The database of an embedded store.
    private var databasePath: String? { (self as? SQLiteStore)?.location.databasePath }

    private static func isSameFile(_ path: String, _ other: String) -> Bool {
        var first = stat(), second = stat()
        guard stat(path, &first) == 0, stat(other, &second) == 0 else { return false }
        return first.st_dev == second.st_dev && first.st_ino == second.st_ino
    }

    /// This store as an open embedded store; nil if it is another kind, or does not exist yet.
    var embedded: SQLiteStore? {
        get throws(StoreError) {
            guard let store = innermost as? SQLiteStore, try store.open() else { return nil }
            return store
        }
    }
}

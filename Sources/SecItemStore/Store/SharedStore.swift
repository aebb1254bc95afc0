// SPDX-License-Identifier: Apache-2.0

/// A store that programs on several machines share, and that can tell what others have changed.
package protocol SharedStore: LockableStore {
    /// Describes the place of the items: always the same for one configuration, and without a password.
    var summaryOfPlace: String { get }

    /// Identifies the keychain as this process has opened it (``SharedContents/keychain``). Once it is open, this asks
    /// nobody.
    ///
    /// - Throws: As ``contents()``.
    func openedKeychain() throws(StoreError) -> [UInt8]

    /// What the keychain holds at one moment, without the items themselves.
    ///
    /// - Throws: ``StoreError``. ``StoreError/isOutOfReach`` says whether the store could not be reached.
    func contents() throws(StoreError) -> SharedContents

    /// Calls `observer` when something happens to the keychain, until the result is released.
    ///
    /// - Parameters:
    ///   - pause: The seconds until the connection for this is opened, so that a short program does without.
    ///   - observer: Runs on a thread of the store's own. It may use the store. It must not wait for another thread that
    ///     releases the result.
    /// - Returns: An object that ends the calls when it is released.
    func observe(after pause: Double, _ observer: @escaping @Sendable (SharedNews) -> Void) -> any Sendable
}

/// What a shared keychain holds at one moment.
package struct SharedContents: Sendable, Equatable {
    /// Identifies the keychain and its keys: another keychain, or other keys, have another value. Empty if there is no
    /// keychain yet.
    package let keychain: [UInt8]
    /// For each item, a value that changes whenever the item changes.
    package let versions: [PersistentReference: [UInt8]]

    package init(keychain: [UInt8], versions: [PersistentReference: [UInt8]]) {
        self.keychain = keychain
        self.versions = versions
    }
}

/// Something that happened to a shared keychain.
package enum SharedNews: Sendable, Equatable {
    /// From now on, changes are reported. Earlier ones may have been missed.
    case listening
    /// Another program, or another store of this process, has changed items.
    case changed
    /// The store cannot be reached. Another attempt follows.
    case outOfReach
    /// Changes are never reported, because a pooler is between this process and the store.
    case deaf
}

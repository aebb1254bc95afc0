// SPDX-License-Identifier: Apache-2.0

import SecItemStore

/// Synchronizable items in a store that machines share, and all other items in a store of this machine.
///
/// **Places.** The attributes synchronizable and accessible determine the place of an item
/// (``ItemRecord/belongsInSharedPlace``). An item that may not leave its machine stays there, even if it is marked as
/// synchronizable. An update that changes the place moves the item; its reference stays the same. Items of the shared
/// store that are not synchronizable belong to other programs, and are neither found nor changed. Synchronizable items of
/// the local store, which were stored before this store was in use, are found and changed where they are.
///
/// **Look-ups** search both places, unless the filter excludes one. Each place gives its items oldest first, and the
/// two lists are merged by creation date.
///
/// **Changes** of both places are made in the shared one first, then here. If the second half fails, the call fails, and
/// calling again completes it. All filters are evaluated first, and what can be known to fail does so before anything
/// changes. A move stores the item at its new place and then deletes it at the old one, as it was read there. If it is
/// interrupted, the item is in both places: look-ups give the one that changed last, and the next change of it deletes the
/// other one.
///
/// **Primary keys.** An item that is marked as synchronizable may be in either place. Each insert looks into the
/// other place before. Two programs that store an equal item at the same moment, one of which may not leave its machine,
/// both succeed.
package final class SynchronizingStore: PassphraseStore, DividedStore {
    package let local: any KeychainStore
    /// The shared store, perhaps with a replica in front.
    let remote: any KeychainStore

    package var shared: any KeychainStore { (remote as? ReplicatedStore)?.shared ?? remote }

    package var isSharedAway: Bool { (remote as? ReplicatedStore)?.isAway ?? false }

    /// - Parameters:
    ///   - local: The store of this machine.
    ///   - shared: The store of the synchronizable items: a ``ReplicatedStore``, or any store without a replica.
    package init(local: any KeychainStore, shared: any KeychainStore) {
        self.local = local
        remote = shared
    }

    package var summary: String { "\(local.summary); synchronizable items in \(remote.summary)" }

    /// Only items that stay on this machine may need a passphrase.
    package var isPassphraseProtected: Bool { local.isPassphraseProtected }

    package func isShared(_ record: ItemRecord) -> Bool { record.isSynchronizable }

    // MARK: Lock

    private var lockable: [any LockableStore] { [local, remote].compactMap { $0 as? any LockableStore } }

    /// Whether one of the places is locked.
    package var isLocked: Bool { lockable.contains(where: \.isLocked) }

    /// Locks both places, as far as they can be locked.
    package func lock() throws(StoreError) {
        guard !lockable.isEmpty else { throw StoreError(.unsupported, "neither of the stores can be locked") }
        try each { (store) throws(StoreError) in try store.lock() }
    }

    /// Unlocks both places, as far as they are locked.
    ///
    /// A passphrase may be that of one place only: it is wrong only if it opens neither.
    package func unlock(passphrase: Secret?) throws(StoreError) {
        guard let passphrase else {
            return try each { (store) throws(StoreError) in try store.unlock(passphrase: nil) }
        }
        var failure: StoreError?
        var isOpened = false
        for store in lockable {
            do throws(StoreError) {
                try store.unlock(passphrase: passphrase)
                isOpened = true
            } catch {
                failure = failure ?? error
            }
        }
        if !isOpened, let failure { throw failure }
    }

    /// Calls `body` with each place that can be locked, and then throws the first error.
    private func each(_ body: (any LockableStore) throws(StoreError) -> Void) throws(StoreError) {
        var failure: StoreError?
        for store in lockable {
            do throws(StoreError) { try body(store) } catch { failure = failure ?? error }
        }
        if let failure { throw failure }
    }

    /// Changes the passphrase of this machine's store, and of the replica, which contains what the shared store contains.
    package func setPassphrase(_ passphrase: Secret?, current: Secret?) throws(StoreError) {
        guard let store = local as? any PassphraseStore else {
            throw StoreError(.unsupported, "this machine's store cannot have a passphrase")
        }
        try store.setPassphrase(passphrase, current: current)
        (remote as? ReplicatedStore)?.setPassphrase(passphrase, current: current)
    }
}

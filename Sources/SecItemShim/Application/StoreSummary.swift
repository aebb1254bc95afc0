// SPDX-License-Identifier: Apache-2.0

import SecItemStore

/// A description of the store for a person. It never contains a secret.
struct StoreSummary {
    let chosen: ChosenStore
    let application: ClientApplication
    let origin: ApplicationIdentity.Origin

    /// The store and its place, why it was chosen, where its passphrase comes from, whether it is locked, and how many
    /// items of which application it holds.
    var text: String {
        let (count, isReached) = count
        let isLocked = isLocked
        // Another process may have changed the passphrase.
        if isReached { _ = try? fleet?.hasPassphrase() }
        // Last, because a store knows more about itself when it has been opened.
        var parts = ["\(chosen.store.summary); chosen because \(chosen.reason)"]
        if chosen.store.isPassphraseProtected, let origin = chosen.passphraseOrigin {
            parts.append("its passphrase comes from \(origin)")
        }
        if isLocked || isReached { parts.append(isLocked ? "locked" : "unlocked") }
        parts.append("\(count) of \"\(application.identifier)\" (\(origin.rawValue))")
        return parts.joined(separator: "; ")
    }

    /// The store that other machines use too, if there is one and nobody would wait for it in vain.
    private var fleet: (any FleetStore)? {
        guard let divided = chosen.store as? any DividedStore else { return chosen.store as? any FleetStore }
        return divided.isSharedAway ? nil : divided.shared as? any FleetStore
    }

    private var isLocked: Bool {
        if let store = chosen.store as? any LockableStore { return store.isLocked }
        // A store without a lock of its own may still be locked, as a keyring is. It says so when asked for a secret.
        return ItemClass.stored.contains { itemClass in
            do throws(StoreError) {
                _ = try chosen.store.records(
                    matching: RecordFilter(itemClass: itemClass, accessGroups: groups), parts: .secrets, limit: 1,
                    interaction: .forbidden)
                return false
            } catch {
                return error.code == .locked
            }
        }
    }

    /// The number of items in words, and whether the store has answered.
    private var count: (text: String, isReached: Bool) {
        let engine = KeychainEngine(store: chosen.store, application: application)
        do throws(KeychainError) {
            let count = try engine.countItems(interaction: .forbidden)
            return (count == 1 ? "1 item" : "\(count) items", true)
        } catch {
            return error.status == errSecInteractionNotAllowed
                ? ("an unknown number of items", true) : ("items that cannot be counted (\(error.message))", false)
        }
    }

    private var groups: [String]? { application.entitledGroups ?? [application.identifier] }
}

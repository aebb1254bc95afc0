// SPDX-License-Identifier: Apache-2.0

import SecItemStore
import Synchronization

/// An embedded store that records its folder when the application gets its first item there.
final class RememberingStore: PassphraseStore, ForwardingStore {
    let embedded: any PassphraseStore
    private let place: PlaceOfItems?
    private let folder: String
    private let isRemembered = Atomic(false)

    /// - Parameter place: The record; nil if nothing is recorded.
    init(_ store: any PassphraseStore, in folder: String, remembering place: PlaceOfItems?) {
        embedded = store
        self.place = place
        self.folder = folder
    }

    var base: any KeychainStore { embedded }

    func insert(_ record: ItemRecord, interaction: Interaction) throws(StoreError) {
        try insert([record], interaction: interaction)
    }

    func insert(_ records: [ItemRecord], interaction: Interaction) throws(StoreError) {
        try AskedOnce.during { () throws(StoreError) in try embedded.insert(records, interaction: interaction) }
        remember()
    }

    func update(_ steps: [RecordUpdate], interaction: Interaction) throws(StoreError) -> Int {
        let count = try embedded.update(steps, interaction: interaction)
        if count > 0 && steps.bringItems { remember() }
        return count
    }

    private func remember() {
        if !isRemembered.exchange(true, ordering: .relaxed) { place?.remember(folder) }
    }

    var isLocked: Bool { embedded.isLocked }
    func lock() throws(StoreError) { try embedded.lock() }
    func unlock(passphrase: Secret?) throws(StoreError) { try embedded.unlock(passphrase: passphrase) }

    func setPassphrase(_ passphrase: Secret?, current: Secret?) throws(StoreError) {
        try AskedOnce.during { () throws(StoreError) in
            try embedded.setPassphrase(passphrase, current: current)
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import SecItemSealing
import SecItemStore
import Synchronization

/// Locks, and the passphrase.
extension SQLiteStore {
    package var isLocked: Bool {
        do throws(StoreError) {
            _ = try open(mayAsk: false)
        } catch {
            if error.code == .locked { return true }
        }
        return state.withLock { state in
            guard let keys = state.keys else { return protector.needsPassphrase || state.unlocking.isLockedByCaller }
            return !keys.isUnlocked
        }
    }

    package func lock() throws(StoreError) {
        state.withLock { state in
            state.keys = state.keys?.locked()
            state.unlocking.lock()
        }
    }

    /// Unlocks the store. With a passphrase, a store that is not there is created, under that passphrase.
    package func unlock(passphrase: Secret?) throws(StoreError) {
        if try !open() {
            if passphrase != nil && !protector.needsPassphrase { throw Self.takesNoPassphrase }
            // There is neither a store nor a passphrase to check.
            guard passphrase != nil else { return state.withLock { $0.unlocking.unlock() } }
            try make(mayAsk: true)
        }
        let attempt = readState(\.unlocking).attempt(isByCaller: true)
        try turn.take(mayAsk: true)
        defer { turn.leave() }
        try unlock(attempt, passphrase: passphrase, mayAsk: true, file: nil)
    }

    package var place: String { location.databasePath }

    package func withUnlockState<Result>(
        _ body: (inout UnlockState, _ needsPassphrase: Bool, _ isUnlocked: Bool) -> Result
    ) -> Result {
        state.withLock { state in
            let result = body(&state.unlocking, state.own.needsPassphrase, state.keys?.isUnlocked == true)
            if state.unlocking.automaticFailure != nil { hasFailed.store(true, ordering: .releasing) }
            return result
        }
    }

    /// Reads all keys from the file. The caller has the turn.
    ///
    /// - Parameter file: The identity of the file with the passphrase, if there is one.
    package func unlock(
        _ attempt: UnlockState.Attempt, passphrase: Secret?, mayAsk: Bool, file: [UInt8]?
    ) throws(StoreError) {
        let (header, device, own) = try presentHeader()
        if !protector.isFulfilled(by: own) { throw protector.lack }
        var passphrase = passphrase, file = file
        if own.needsPassphrase && passphrase == nil {
            file = try? own.passphraseFile?.identity()
            passphrase = try own.passphrase(mayAsk: mayAsk)
        }
        if passphrase != nil && !own.needsPassphrase { throw Self.takesNoPassphrase }
        let root = try header.unlocked(own, device: device, passphrase: passphrase).root
        let isAdopted = try adopt(root, header, own, attempt)
        if isAdopted, let file, own.needsPassphrase {
            cache.keep(header.witness(of: file), as: .passphraseFile, storeID: header.storeID, logger: logger)
        }
    }

    /// Adopts the keys that the root key opens, unless the caller locked the store meanwhile.
    ///
    /// - Parameter attempt: The attempt that needs them. Nil if the root key was needed for something else, which
    ///   opens nothing that the caller has locked.
    /// - Returns: False if the caller requested the unlock and locked the store during it. The result is as if the lock
    ///   came afterwards.
    /// - Throws: ``StoreError/Code/locked`` if the store was locked while it unlocked itself.
    @discardableResult
    private func adopt(
        _ root: Secret, _ header: StoreHeader, _ own: any RootKeyProtector, _ attempt: UnlockState.Attempt?
    ) throws(StoreError) -> Bool {
        let more = try header.otherKeys(root)
        let isLacking = !protector.isFulfilled(by: own)
        let keys = try state.withLock { (state) throws(StoreError) -> KeySet? in
            if let attempt, try !state.unlocking.succeed(attempt) { return nil }
            if isLacking {
                state.keys = state.keys?.alwaysOnly()
            } else if !state.unlocking.isLockedByCaller {
                state.keys = try state.keys?.adding(more)
            }
            state.own = own
            state.isLacking = isLacking
            state.unlocking.forgetFailure()
            return state.keys
        }
        guard let keys else { return false }
        if own.needsPassphrase, let content = keys.cacheContent {
            cache.keep(content, storeID: header.storeID, logger: logger)
        }
        return true
    }

    /// The header in the file, the device's keys, and the protection of the root key. Another process may have changed it.
    func presentHeader() throws(StoreError) -> (StoreHeader, DeviceKeys, own: any RootKeyProtector) {
        let header = try connection.read(StoreHeader.read)
        return try (header, header.check(deviceKey()), own: Self.protector(of: header, configured: protector))
    }

    func deviceKey() throws(StoreError) -> DeviceKey {
        try DeviceKey(file: PrivateFolder(location).read(location.keyFilePath), path: location.keyFilePath)
    }

    // MARK: Passphrase

    package func setPassphrase(_ passphrase: Secret?, current: Secret? = nil) throws(StoreError) {
        try AskedOnce.during { () throws(StoreError) in
            try setPassphrase(passphrase, current: current, cost: .standard)
        }
    }

    /// Sets, changes or removes the passphrase. The root key is wrapped again, and the guard key. With
    /// the first passphrase, guarded items are sealed to a guard key; without a passphrase they are opened again.
    /// ``lock()`` stays in effect.
    ///
    /// - Parameters:
    ///   - passphrase: The new passphrase. With nil, the key file alone protects the store, or the configured chip.
    ///   - current: The current passphrase, if there is one; nil to read it from the store's configured source.
    ///   - cost: The scrypt cost for the new passphrase.
    /// - Throws: ``StoreError/Code/authenticationFailed`` if `current` is wrong; ``StoreError/Code/unrepresentable`` if
    ///   `passphrase` is empty;
    ///   ``StoreError/Code/unsupported`` if there are items that require a passphrase, or a sandbox's portal protects
    ///   the store; ``StoreError/Code/corrupt`` if a guarded item does not open and would lose its key. Then nothing
    ///   has changed.
    package func setPassphrase(
        _ passphrase: Secret?, current: Secret? = nil, cost: ScryptCost
    ) throws(StoreError) {
        try make(mayAsk: true)
        try turn.take(mayAsk: true)
        defer { turn.leave() }
        let (header, device, own) = try presentHeader()
        guard own.method != .portal else {
            throw StoreError(
                .unsupported, "the secret of the sandbox's portal protects this keychain: a passphrase would end that")
        }
        var known = current
        if own.needsPassphrase && known == nil { known = try own.passphrase(mayAsk: true) }
        let (root, oldWrapping) = try header.unlocked(own, device: device, passphrase: known)
        // A chip stays, also where this program was not told to use one.
        let configured = protector.withoutPassphrase, kept = own.withoutPassphrase
        let new: any RootKeyProtector =
            if passphrase != nil {
                PassphraseProtector(sources: [], cost: cost)
            } else {
                configured.isFulfilled(by: kept) ? kept : configured
            }
        let wrapped = try StoreHeader.wrappedRoot(
            root, storeID: header.storeID, device: device, protector: new, passphrase: passphrase)
        let newWrapping = wrapped.guardWrapping.map {
            GuardKeyRow.Wrapping(method: new.method, key: $0, storeID: header.storeID, device: device)
        }
        let keys = try header.alwaysKeys(device).adding(header.otherKeys(root))
        let change = GuardChange(storeID: header.storeID, keys: keys, old: oldWrapping, new: newWrapping)
        try replaceRoot(of: header, by: wrapped.row, isPassphrase: passphrase != nil, change)
        try adopt(root, header, new, nil)
        if !new.needsPassphrase { cache.forget(storeID: header.storeID, logger: logger) }
    }

    private func replaceRoot(
        of header: StoreHeader, by wrapped: WrappedKey, isPassphrase: Bool, _ change: GuardChange
    ) throws(StoreError) {
        try connection.write { database in
            let found = try header.readAgain(database)
            if !isPassphrase, try Self.hasItems(database, accessible: .whenPasscodeSetThisDeviceOnly) {
                throw Self.itemsRequirePassphrase
            }
            _ = try found.check(deviceKey())
            try wrapped.write(database)
            try change.run(database, found)
        }
        // The log still contains the page with the old wrapping of the root key, and old secrets. The new passphrase is
        // already in force, so the call does not fail if the log cannot be emptied now.
        do throws(StoreError) {
            try connection.emptyLog()
        } catch {
            logger.warning(
                "The write-ahead log still holds the root key under the old passphrase",
                metadata: ["reason": "\(error.message)"])
        }
    }
}

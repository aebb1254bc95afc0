// SPDX-License-Identifier: Apache-2.0

import SecItemStore

/// An unlock that other processes of the user share, until it ends: what the command line's `unlock-keychain` is.
extension SQLiteStore {
    /// Keeps the keys of this unlocked store for other processes.
    ///
    /// - Parameters:
    ///   - limits: When they end.
    ///   - cache: Where they are kept.
    /// - Throws: ``StoreError/Code/locked`` when this store is not unlocked, ``StoreError/Code/unavailable`` when there is no
    ///   place for them.
    package func shareUnlock(
        _ limits: UnlockLimits, in cache: FirstUnlockCache, now: @autoclosure () -> MachineTime = .now
    ) throws(StoreError) {
        try alone { () throws(StoreError) in try keep(limits, in: cache, now()) }
    }

    /// Sets when the keys end that are kept for other processes. Where somebody has taken them away meanwhile, they stay away.
    package func limitSharedUnlock(
        _ limits: UnlockLimits, in cache: FirstUnlockCache, now: @autoclosure () -> MachineTime = .now
    ) throws(StoreError) {
        try alone { () throws(StoreError) in
            if shared(in: cache) != nil { try keep(limits, in: cache, now()) }
        }
    }

    private func keep(_ limits: UnlockLimits, in cache: FirstUnlockCache, _ now: MachineTime) throws(StoreError) {
        let head = SharedUnlock(limits: limits, lastUse: now).head
        guard let content = currentKeys().packed(KeyName.belowRoot, behind: head) else {
            throw StoreError(.locked, "the store is locked")
        }
        guard cache.keep(content, as: .unlocked, storeID: storeID, logger: logger) else {
            throw StoreError(
                .unavailable,
                "there is no place that keeps keys from one process to the next: neither the kernel's user keyring nor "
                    + "a run-time folder in memory (XDG_RUNTIME_DIR)")
        }
    }

    /// Uses the keys that another process keeps, which counts as a use of them.
    ///
    /// - Returns: Their limits; nil when none are kept, or they have ended.
    @discardableResult
    package func takeSharedUnlock(
        in cache: FirstUnlockCache, now: @autoclosure () -> MachineTime = .now
    ) throws(StoreError) -> UnlockLimits? {
        if shared(in: cache) == nil { return nil }
        let header = try connection.read(StoreHeader.read)
        return try alone { () throws(StoreError) in
            // Meanwhile another process may have taken it away, or have set other limits.
            guard let (unlock, keys) = shared(in: cache), header.areOwn(keys) else { return nil }
            // Read now that it is this process's turn: a moment before another's use would seem to be of another start of the
            // machine.
            let now = now()
            guard !unlock.isOver(now) else {
                cache.forget(storeID: storeID, logger: logger)
                return nil
            }
            try take(keys)
            if unlock.limits.timeout != nil { try keep(unlock.limits, in: cache, now) }
            return unlock.limits
        }
    }

    private func shared(in cache: FirstUnlockCache) -> (unlock: SharedUnlock, keys: KeyTable<Secret>)? {
        cache.content(.unlocked, storeID: storeID, logger: logger).flatMap(SharedUnlock.read)
    }

    /// Takes everything away that is kept of this store's keys, for every process.
    ///
    /// - Throws: ``StoreError/Code/unavailable`` when other processes have been at it for too long.
    package func endSharedUnlock(in cache: FirstUnlockCache) throws(StoreError) {
        try alone { cache.forget(storeID: storeID, logger: logger) }
    }

    /// Runs `body` while no other process changes what is kept of this store's keys: what is read and written again must not
    /// undo that somebody takes it away.
    private func alone<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
        guard let folder = try PrivateFolder.existing(location, logger: logger) else { return try body() }
        return try folder.withSetupLock(body)
    }
}

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
        _ limits: UnlockLimits, in cache: FirstUnlockCache, now: MachineTime = .now
    ) throws(StoreError) {
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
        in cache: FirstUnlockCache, now: MachineTime = .now
    ) throws(StoreError) -> UnlockLimits? {
        guard let content = cache.content(.unlocked, storeID: storeID, logger: logger),
            let (unlock, keys) = SharedUnlock.read(content)
        else { return nil }
        guard !unlock.isOver(now) else {
            endSharedUnlock(in: cache)
            return nil
        }
        guard try connection.read(StoreHeader.read).areOwn(keys) else { return nil }
        try take(keys)
        if unlock.limits.timeout != nil { try shareUnlock(unlock.limits, in: cache, now: now) }
        return unlock.limits
    }

    /// Takes everything away that is kept of this store's keys, for every process.
    package func endSharedUnlock(in cache: FirstUnlockCache) {
        cache.forget(storeID: storeID, logger: logger)
    }
}

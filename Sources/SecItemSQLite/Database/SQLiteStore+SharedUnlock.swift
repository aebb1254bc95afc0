// SPDX-License-Identifier: Apache-2.0

import SecItemSealing
import SecItemStore

/// An unlock that other processes of the user share until it ends, as the command `unlock-keychain` does.
extension SQLiteStore {
    /// Keeps the keys of this unlocked store for other processes.
    ///
    /// - Parameters:
    ///   - limits: When the shared keys expire.
    ///   - cache: Where they are stored.
    /// - Throws: ``StoreError/Code/locked`` if this store is not unlocked, ``StoreError/Code/unavailable`` if there is
    ///   no place for the keys.
    package func shareUnlock(
        _ limits: UnlockLimits, in cache: FirstUnlockCache, now: @autoclosure () -> MachineTime = .now
    ) throws(StoreError) {
        try alone { () throws(StoreError) in try keep(limits, in: cache, now()) }
    }

    /// Sets when the shared keys expire. Does nothing if somebody has removed them meanwhile.
    package func limitSharedUnlock(
        _ limits: UnlockLimits, in cache: FirstUnlockCache, now: @autoclosure () -> MachineTime = .now
    ) throws(StoreError) {
        try alone { () throws(StoreError) in
            if try shared(in: cache) != nil { try keep(limits, in: cache, now()) }
        }
    }

    private func keep(_ limits: UnlockLimits, in cache: FirstUnlockCache, _ now: MachineTime) throws(StoreError) {
        let head = SharedUnlock(limits: limits, lastUse: now).head
        guard let content = try currentKeys().packed(KeyName.belowRoot, behind: head) else {
            throw StoreError(.locked, "the store is locked")
        }
        guard try cache.keep(content, as: .unlocked, storeID: storeID, logger: logger) else {
            throw StoreError(
                .unavailable,
                "there is no place that keeps keys from one process to the next: neither the kernel's user keyring nor "
                    + "a run-time folder in memory (XDG_RUNTIME_DIR)")
        }
    }

    /// Uses the keys that another process shares, which restarts their timeout.
    ///
    /// - Returns: Their limits; nil if there are none, or they have expired.
    @discardableResult
    package func takeSharedUnlock(
        in cache: FirstUnlockCache, now: @autoclosure () -> MachineTime = .now
    ) throws(StoreError) -> UnlockLimits? {
        if try shared(in: cache) == nil { return nil }
        let header = try connection.read(StoreHeader.read)
        return try alone { () throws(StoreError) in
            // Another process may have removed them or changed their limits meanwhile.
            guard let (unlock, keys) = try shared(in: cache), header.areOwn(keys) else { return nil }
            // Read after the turn was obtained. An earlier time could be before another process's last use, which would
            // look like an earlier start of the machine.
            let now = now()
            guard !unlock.isOver(now) else {
                cache.forget(storeID: header.storeID, logger: logger)
                return nil
            }
            try take(keys)
            if unlock.limits.timeout != nil { try keep(unlock.limits, in: cache, now) }
            return unlock.limits
        }
    }

    private func shared(
        in cache: FirstUnlockCache
    ) throws(StoreError) -> (unlock: SharedUnlock, keys: KeyTable<Secret>)? {
        try cache.content(.unlocked, storeID: storeID, logger: logger).flatMap(SharedUnlock.read)
    }

    /// Removes all shared keys of this store, for every process.
    ///
    /// - Throws: ``StoreError/Code/unavailable`` if other processes use them for too long.
    package func endSharedUnlock(in cache: FirstUnlockCache) throws(StoreError) {
        try alone { () throws(StoreError) in try cache.forget(storeID: storeID, logger: logger) }
    }

    /// Runs `body` while no other process changes the shared keys. Otherwise a process that reads and rewrites them
    /// could restore keys that another has just removed.
    private func alone<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
        guard let folder = try PrivateFolder.existing(location) else { return try body() }
        return try folder.withSetupLock(body)
    }
}

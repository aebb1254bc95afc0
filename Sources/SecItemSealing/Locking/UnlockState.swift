// SPDX-License-Identifier: Apache-2.0

import SecItemStore

/// What a store remembers of its locks, and of its own attempts to unlock. It changes only under the lock of the
/// store's state.
package struct UnlockState: Sendable {
    /// One attempt to unlock, which may wait for a person.
    package struct Attempt: Sendable {
        fileprivate let lockCount: Int
        /// Whether the caller requested it, rather than the store itself.
        package let isByCaller: Bool
    }

    /// A passphrase that was found without a prompt and does not open the store.
    private struct Failure {
        let error: StoreError
        /// The identity of the file that held it, if it is known.
        let file: [UInt8]?
    }

    /// Whether the caller has locked the store. Then only the caller may unlock it.
    package private(set) var isLockedByCaller = false
    /// How often the caller has locked the store. An attempt that began before the last lock must not open anything.
    private var lockCount = 0
    /// It keeps the store from trying the same passphrase again and again.
    private var failure: Failure?
    private var isMissingReported = false

    package init() {}

    // MARK: The caller

    /// The caller locks the store.
    package mutating func lock() {
        isLockedByCaller = true
        lockCount += 1
    }

    /// Nothing is locked any more, because of a right passphrase or because there is no store yet that has one.
    package mutating func unlock() {
        isLockedByCaller = false
        failure = nil
    }

    // MARK: Attempts

    /// Begins an attempt to unlock.
    package func attempt(isByCaller: Bool) -> Attempt { Attempt(lockCount: lockCount, isByCaller: isByCaller) }

    /// Whether nobody has locked the store since the attempt began.
    package func isWanted(_ attempt: Attempt) -> Bool {
        attempt.lockCount == lockCount && (attempt.isByCaller || !isLockedByCaller)
    }

    /// Ends an attempt that has opened the store, unless the caller has locked it meanwhile.
    ///
    /// - Returns: Whether the keys may be used. False if the caller requested the attempt: the result is as if the lock
    ///   came afterwards.
    /// - Throws: ``StoreError/Code/locked`` if the store itself began the attempt.
    package mutating func succeed(_ attempt: Attempt) throws(StoreError) -> Bool {
        guard isWanted(attempt) else {
            if attempt.isByCaller { return false }
            throw StoreError(.locked, "the store was locked while it was being unlocked")
        }
        unlock()
        return true
    }

    // MARK: Configured passphrases

    /// Whether the store may look for a passphrase itself.
    package var mayUnlockItself: Bool { !isLockedByCaller && failure == nil }

    /// The error of the last passphrase that was found without a prompt; nil if it was right, or if another file has
    /// it now.
    package var automaticFailure: StoreError? { failure?.error }

    /// The identity of the file that held that passphrase, if it is known.
    package var failedFile: [UInt8]? { failure?.file }

    /// A passphrase from the configured source does not open the store.
    package mutating func fail(_ error: StoreError, file: [UInt8]?) { failure = Failure(error: error, file: file) }

    /// The configured source, or the store's own passphrase, is another one now.
    package mutating func forgetFailure() { failure = nil }

    /// Whether the log does not say yet that the passphrase is not available. True once.
    package mutating func reportsMissing() -> Bool {
        defer { isMissingReported = true }
        return !isMissingReported
    }
}

extension StoreError {
    /// The keys of "when unlocked" items are not available.
    package static let locked = StoreError(.locked, "the store is locked")
    /// Only items that are always accessible can be found.
    package static let lockedBeforeFirstUnlock = StoreError(
        .locked, "the store has not been unlocked since the machine started")
}

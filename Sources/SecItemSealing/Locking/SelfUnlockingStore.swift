// SPDX-License-Identifier: Apache-2.0

import Logging
import SecItemStore

/// A store that a passphrase opens, and that looks for the passphrase itself where one is configured.
package protocol SelfUnlockingStore: Sendable {
    /// The configured protection, and so the source of the passphrase.
    var protector: any RootKeyProtector { get }

    /// The protections that a store may have besides the configured one.
    static var otherProtectors: [any RootKeyProtector] { get }

    /// Held by the one thread that unlocks.
    var turn: Turn { get }

    /// Receives what keeps the store from unlocking itself. Never a passphrase.
    var logger: Logger { get }

    /// Where the items are, in words.
    var place: String { get }

    /// Gives `body` the state under its lock.
    ///
    /// - Parameter body: Receives the state, whether the store needs a passphrase, and whether it is unlocked.
    func withUnlockState<Result>(
        _ body: (inout UnlockState, _ needsPassphrase: Bool, _ isUnlocked: Bool) -> Result
    ) -> Result

    /// Opens all keys. The caller has the turn.
    ///
    /// - Parameters:
    ///   - attempt: The attempt that needs them.
    ///   - passphrase: The passphrase; nil to get it from the configured source if one is needed.
    ///   - mayAsk: Whether a person may be asked for it.
    ///   - file: The identity of the file with the passphrase, if there is one.
    /// - Throws: ``StoreError/Code/authenticationFailed`` if the passphrase is wrong; ``StoreError/Code/locked`` if there
    ///   is none; the errors of ``UnlockState/succeed(_:)`` and of the store.
    func unlock(
        _ attempt: UnlockState.Attempt, passphrase: Secret?, mayAsk: Bool, file: [UInt8]?
    ) throws(StoreError)
}

extension SelfUnlockingStore {
    /// Makes the store look for a passphrase again if the file with the wrong one has changed.
    package func forgetFailureOfAnotherFile() {
        let (hasFailed, failedFile) = withUnlockState { state, _, _ in
            (state.automaticFailure != nil, state.failedFile)
        }
        guard hasFailed, let file = protector.passphraseFile else { return }
        // If the file cannot be examined, there is no reason to try again.
        guard let identity = try? file.identity(), identity != failedFile else { return }
        withUnlockState { state, _, _ in
            // Another thread may have tried meanwhile.
            if state.failedFile == failedFile { state.forgetFailure() }
        }
    }

    /// Unlocks with the passphrase from the configured source.
    ///
    /// - Parameter mayAsk: Whether a person may be asked.
    /// - Returns: Whether more keys are available than before.
    /// - Throws: The error of the last attempt, if the same passphrase would be tried again; the errors of
    ///   ``unlock(_:passphrase:mayAsk:file:)`` and of the source.
    package func unlockItself(mayAsk: Bool) throws(StoreError) -> Bool {
        let (failure, isUnlocked, mayUnlock, attempt) = withUnlockState { state, needsPassphrase, isUnlocked in
            (
                state.isLockedByCaller ? nil : state.automaticFailure, isUnlocked,
                needsPassphrase && state.mayUnlockItself, state.attempt(isByCaller: false)
            )
        }
        // Another thread has unlocked it since this one checked.
        if isUnlocked { return true }
        if let failure { throw failure }
        guard mayUnlock else { return false }
        try turn.take(mayAsk: mayAsk)
        defer { turn.leave() }
        // Another thread may have unlocked or locked it first, or have tried the same passphrase.
        let (failureNow, isUnlockedNow, isWanted) = withUnlockState { state, _, isUnlocked in
            (state.automaticFailure, isUnlocked, state.isWanted(attempt))
        }
        if isUnlockedNow { return true }
        guard isWanted else { return false }
        if let failureNow { throw failureNow }
        // Read before the content, so that a file replaced in between counts as another one.
        let file = protector.passphraseFile
        let identity = try? file?.identity()
        guard let passphrase = try configuredPassphrase(mayAsk: mayAsk) else { return false }
        do throws(StoreError) {
            try unlock(attempt, passphrase: passphrase, mayAsk: false, file: identity)
        } catch {
            // A person may mistype and try again; a file stays wrong.
            if error.code == .authenticationFailed, let file {
                withUnlockState { state, _, _ in state.fail(error, file: identity) }
                logger.error(
                    "The configured passphrase does not open the keychain",
                    metadata: ["reason": "\(error.message)", "file": "\(file.path)", "place": "\(place)"])
            }
            throw error
        }
        return true
    }

    /// Runs an operation with the available keys. If it needs more keys and they can be had, it runs again.
    ///
    /// - Parameters:
    ///   - needsMore: Whether an error means that the operation needs more keys, or another protection.
    ///   - body: The operation. It receives whether it runs for the last time, and a place to record damage.
    package func unlockingItself<Result>(
        _ interaction: Interaction,
        needsMore: (StoreError) throws(StoreError) -> Bool = { (error) throws(StoreError) in error.code == .locked },
        _ body: (_ isLast: Bool, inout DamageReport) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        var damage = DamageReport()
        // Logged at the end, when nothing is locked any more, because a log handler may use a keychain.
        defer { log(damage) }
        do throws(StoreError) {
            return try body(false, &damage)
        } catch {
            guard try needsMore(error) else { throw error }
            if interaction == .skipped {
                // If no key can be had, locked items are left out.
                _ = try? unlockItself(mayAsk: false)
            } else {
                guard try unlockItself(mayAsk: interaction == .allowed) else {
                    reportMissingPassphrase()
                    throw error
                }
            }
        }
        damage = DamageReport()
        return try body(true, &damage)
    }

    /// The passphrase from the configured source; nil if there is none. If it is not available, that is logged once.
    package func configuredPassphrase(mayAsk: Bool) throws(StoreError) -> Secret? {
        do throws(StoreError) {
            return try protector.passphrase(mayAsk: mayAsk)
        } catch {
            let isNew = withUnlockState { state, _, _ in state.reportsMissing() }
            if isNew && protector.passphraseFile != nil {
                logger.once(
                    .error, "The configured passphrase cannot be read", metadata: ["reason": "\(error.message)"])
            }
            throw error
        }
    }

    /// The protection of the root key in that header.
    ///
    /// - Parameter configured: Preferred, because it has the source of the passphrase.
    /// - Throws: ``StoreError/Code/unavailable`` if this program does not know the protection.
    package static func protector(
        of header: StoreHeader, configured: any RootKeyProtector
    ) throws(StoreError) -> any RootKeyProtector {
        guard let protector = protector(for: header.rootMethod, configured: configured) else {
            throw StoreError(.unavailable, "the root key is protected in a way that this program does not know")
        }
        return protector
    }

    /// The protector that knows a method; nil if there is none.
    package static func protector(
        for method: RootKeyMethod, configured: any RootKeyProtector
    ) -> (any RootKeyProtector)? {
        for protector in [configured] + otherProtectors {
            if let protector = protector.protector(for: method) { return protector }
        }
        return nil
    }

    /// Logs damaged items that an operation has left out, and a lack of protected memory.
    package func log(_ damage: DamageReport) {
        SecretMemory.report(logger)
        for line in damage.lines {
            logger.error("A keychain item is damaged and left out", metadata: ["damage": "\(line)"])
        }
    }

    /// The error for taking the passphrase from a store that has items which require one.
    package static var itemsRequirePassphrase: StoreError {
        StoreError(.unsupported, "some items require a passphrase: delete them first")
    }

    package static var takesNoPassphrase: StoreError {
        StoreError(.unavailable, "a passphrase was given, but this keychain has none: \(RootKeyMethod.givePassphrase)")
    }

    /// Logs once that the store has a passphrase and no setting gives it. A call that fails because of that only says
    /// that the store is locked, which is no mistake in a program that unlocks it later.
    package func reportMissingPassphrase() {
        guard !protector.needsPassphrase else { return }
        let isNew = withUnlockState { state, needsPassphrase, isUnlocked in
            needsPassphrase && !isUnlocked && !state.isLockedByCaller && state.reportsMissing()
        }
        guard isNew else { return }
        logger.once(
            .notice,
            "The keychain has a passphrase, and none is configured: set SECITEM_PASSPHRASE_FILE, give the service the "
                + "credential secitem-passphrase, or call LinuxKeychain.unlock(passphrase:)",
            metadata: ["place": "\(place)"])
    }
}

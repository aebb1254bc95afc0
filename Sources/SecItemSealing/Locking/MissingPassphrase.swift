// SPDX-License-Identifier: Apache-2.0

import Logging
import SecItemStore

extension SelfUnlockingStore {
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

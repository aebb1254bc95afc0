// SPDX-License-Identifier: Apache-2.0

import SecItemStore

extension StoreError {
    /// The keys of "when unlocked" items are not at hand.
    package static let locked = StoreError(.locked, "the store is locked")
    /// Nothing but what is always accessible can be seen.
    package static let lockedBeforeFirstUnlock = StoreError(
        .locked, "the store has not been unlocked since the machine started")
}

// SPDX-License-Identifier: Apache-2.0

import SecItemStore

extension StoreError {
    /// The keys of "when unlocked" items are not available.
    package static let locked = StoreError(.locked, "the store is locked")
    /// Only items that are always accessible can be found.
    package static let lockedBeforeFirstUnlock = StoreError(
        .locked, "the store has not been unlocked since the machine started")
}

// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Is told of changes in a vault.
@objc(EXVaultDelegate)
public protocol VaultDelegate {
    /// Says that an account's password was stored or removed.
    @objc(vault:didChangeAccount:)
    func vault(_ vault: Vault, didChange account: String)
}

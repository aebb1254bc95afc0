// SPDX-License-Identifier: Apache-2.0

import SecItemStore

/// How a row stores the constraints of its item: a byte after its nonces, which the row's code covers.
///
/// Rows of items without constraints have no such byte. A program that does not know constraints considers a row with
/// the byte damaged, so it neither returns the secrets nor changes the row.
package enum ConstraintMark: UInt8, Sendable {
    /// Only the engine enforces the constraints. The secrets are sealed like those of any other item.
    case rule = 1
    /// Each secret is sealed to the guard key first.
    case sealed = 2
}

extension ItemRecord {
    /// Whether the record has secrets that a store with a passphrase seals to its guard key. The record must have its
    /// attributes.
    ///
    /// - Throws: ``StoreError/Code/corrupt`` when the constraints cannot be read.
    package var isToBeGuarded: Bool {
        get throws(StoreError) {
            let constraints = try constraints
            return constraints?.takePassphrase == true && (!secrets.isEmpty || guardedSecrets != nil)
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import SecItemStore

/// How a row keeps the constraints of its item: the byte behind its nonces, which the row's code covers.
///
/// Rows of items without constraints have no such byte. A program that knows nothing of constraints takes a row that has one
/// for damaged: it neither gives out the secrets nor changes the row.
enum ConstraintMark: UInt8, Sendable {
    /// The constraints are a rule that the engine keeps: the secrets are sealed as those of any other item.
    case rule = 1
    /// Each secret is sealed to the guard key first.
    case sealed = 2
}

extension ItemRecord {
    /// Whether the record has secrets that a store with a passphrase seals to its guard key. Needs the attributes.
    ///
    /// - Throws: ``StoreError/Code/corrupt`` when the constraints cannot be read.
    var isToBeGuarded: Bool {
        get throws(StoreError) {
            let constraints = try constraints
            return constraints?.takePassphrase == true && (!secrets.isEmpty || guardedSecrets != nil)
        }
    }
}

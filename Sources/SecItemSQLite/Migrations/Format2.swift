// SPDX-License-Identifier: Apache-2.0

/// The format of a store that has a guard key: the tables of ``Format1``, and the row `guard` in `keys`.
///
/// A store has this format from its first guarded item until its passphrase is removed. Programs that do not know the
/// format refuse such a store, because they would lose the guard key at the next change of the passphrase. They can use
/// all other stores.
enum Format2 {
    static let number: Int64 = 2
}

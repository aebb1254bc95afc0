// SPDX-License-Identifier: Apache-2.0

/// The format of a store that has a guard key: the tables of ``Format1``, and the row `guard` in `keys`.
///
/// A store has it from its first guarded item on, and loses it with its passphrase: other stores stay usable for programs that
/// do not know of it. Those refuse a store of this format, as they would lose the guard key with the next passphrase.
enum Format2 {
    static let number: Int64 = 2
}

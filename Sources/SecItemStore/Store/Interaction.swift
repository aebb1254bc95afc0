// SPDX-License-Identifier: Apache-2.0

/// What a store may do when it needs the person at the machine.
public enum Interaction: Sendable {
    /// Ask, where there is someone to ask.
    case allowed
    /// Do not ask: throw ``StoreError/Code/locked``.
    case forbidden
    /// Do not ask: leave out the records that would need it.
    case skipped
}

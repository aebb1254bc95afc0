// SPDX-License-Identifier: Apache-2.0

/// What a store may do if it needs a person, for example to unlock it.
public enum Interaction: Sendable {
    /// Prompt, if somebody can be asked.
    case allowed
    /// Do not prompt. Throw ``StoreError/Code/locked``.
    case forbidden
    /// Do not prompt. Leave out the records that would need a prompt.
    case skipped
}

// SPDX-License-Identifier: Apache-2.0

import SecItemStore

/// How a call may prompt: the `kSecUse…` keys.
package struct Asking: Sendable {
    /// What to do if a prompt is needed.
    let interaction: Interaction
    /// Carries proofs from one call to the next.
    let context: (any AuthenticationContext)?
    /// The text of the prompt, from `kSecUseOperationPrompt`.
    let prompt: String?

    /// The text of the prompt.
    var reason: String {
        for words in [prompt, context?.localizedReason] {
            if let words, !words.isEmpty { return words }
        }
        return "it opens an item of the keychain"
    }
}

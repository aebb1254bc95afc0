// SPDX-License-Identifier: Apache-2.0

import SecItemStore

/// How the caller wants the person at the machine to be asked, if at all: the `kSecUse…` keys.
package struct Asking: Sendable {
    /// What may be done where somebody would have to be asked.
    let interaction: Interaction
    /// What carries proofs from one call to the next.
    let context: (any AuthenticationContext)?
    /// What the person is told, in the words of `kSecUseOperationPrompt`.
    let prompt: String?

    /// What the person is told.
    var reason: String {
        for words in [prompt, context?.localizedReason] {
            if let words, !words.isEmpty { return words }
        }
        return "it opens an item of the keychain"
    }
}

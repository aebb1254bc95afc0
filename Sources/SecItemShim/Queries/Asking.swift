// SPDX-License-Identifier: Apache-2.0

import SecItemStore

/// How a call may prompt: the `kSecUse…` keys.
package struct Asking: Sendable {
    /// What to do if a prompt is needed, as the query and the context say at the beginning of the call.
    let interaction: Interaction
    /// Carries proofs from one call to the next.
    let context: (any AuthenticationContext)?
    /// What the call does, for the text of the prompt.
    let action: Action
    /// The text of the prompt, from `kSecUseOperationPrompt`.
    let prompt: String?

    /// - Parameter wanted: What the query says. A context that forbids prompts overrides "allow".
    init(_ wanted: Interaction, context: (any AuthenticationContext)?, action: Action, prompt: String?) {
        interaction = wanted == .allowed && context?.interactionNotAllowed == true ? .forbidden : wanted
        self.context = context
        self.action = action
        self.prompt = prompt
    }

    /// The text of the prompt.
    var reason: String {
        for words in [prompt, context?.localizedReason] {
            if let words, !words.isEmpty { return words }
        }
        return action.rawValue
    }

    /// What a call does with items, in the words of the prompt if the caller gives none.
    enum Action: String, Sendable {
        case opening = "to open an item of the keychain"
        case adding = "to add an item to the keychain"
        case changing = "to change an item of the keychain"
    }
}

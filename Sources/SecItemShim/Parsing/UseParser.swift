// SPDX-License-Identifier: Apache-2.0

import SecItemStore

/// Reads the `kSecUse…` keys: how the caller wants to be asked, if at all.
struct UseParser {
    private var authenticationUI: CallerText?
    private var forbidsUI = false
    private var hasContext = false
    private var context: (any AuthenticationContext)?
    private var prompt: String?
    private var hasCredential = false
    private(set) var hasItemList = false

    /// - Throws: `errSecParam` for an unknown key, `errSecAuthFailed` for a context that was invalidated.
    mutating func add(_ key: CallerText, _ value: CallerValue) throws(KeychainError) {
        switch key {
        case "u_AuthUI": authenticationUI = value.text
        case "u_NoAuthUI": forbidsUI = value.boolean == true
        case "u_AuthCtx": try addContext(value)
        case "u_OpPrompt": prompt = value.text?.string
        case "u_CredRef": hasCredential = true
        case "u_ItemList": hasItemList = true
        // The Mac drops the file keychain's key on the way to this keychain.
        case "u_UserIndependentKeychain", "u_Keychain": break
        default: throw .param("an unknown kSecUse key")
        }
        if hasContext && hasCredential { throw .param("a context and a credential exclude each other") }
    }

    private mutating func addContext(_ value: CallerValue) throws(KeychainError) {
        hasContext = true
        guard case .object(let object) = value, let context = object as? any AuthenticationContext else { return }
        if context.isInvalidated { throw KeychainError(errSecAuthFailed, "the authentication context was invalidated") }
        self.context = context
    }

    /// How to ask.
    var asking: Asking { Asking(interaction: interaction, context: context, prompt: prompt) }

    private var contextForbidsUI: Bool { context?.interactionNotAllowed ?? false }

    /// What a store may do when it would have to ask. The newer of the two keys wins; a context that forbids to ask
    /// stands above "allow".
    private var interaction: Interaction {
        switch authenticationUI {
        case "u_AuthUIS": .skipped
        case "u_AuthUIF": .forbidden
        case .some: contextForbidsUI ? .forbidden : .allowed
        case nil: forbidsUI || contextForbidsUI ? .forbidden : .allowed
        }
    }

    /// Skipping what would need a question makes sense in a look-up alone.
    ///
    /// - Throws: `errSecParam` when the caller wants it.
    func requireNoSkipping() throws(KeychainError) {
        if authenticationUI == "u_AuthUIS" { throw .param("kSecUseAuthenticationUISkip is for look-ups only") }
    }

    /// - Throws: `errSecParam` when the caller gave a list of items.
    func requireNoItemList() throws(KeychainError) {
        if hasItemList { throw .param("kSecUseItemList is not supported") }
    }
}

// SPDX-License-Identifier: Apache-2.0

import SecItemStore

/// Reads the `kSecUse…` keys: how the call may prompt.
struct UseParser {
    /// A key that Apple's headers do not declare.
    private static let credentialReference: CallerText = "u_CredRef"
    /// Another one, which programs in C use.
    static let useTombstones: CallerText = "u_Tomb"

    private var authenticationUI: CallerText?
    private var forbidsUI = false
    private var hasContext = false
    private var context: (any AuthenticationContext)?
    private var prompt: String?
    private var hasCredential = false
    private(set) var hasItemList = false
    /// Whether a delete leaves tombstones.
    private(set) var leavesTombstones = false

    /// - Throws: `errSecParam` for an unknown key, and for a context that is no `LAContext`; `errSecAuthFailed` for a context
    ///   that was invalidated.
    mutating func add(_ key: CallerText, _ value: CallerValue) throws(KeychainError) {
        switch key {
        case .kSecUseAuthenticationUI: authenticationUI = value.text
        case .kSecUseNoAuthenticationUI: forbidsUI = value.boolean == true
        case .kSecUseAuthenticationContext: try addContext(value)
        case .kSecUseOperationPrompt: prompt = value.text?.string
        case Self.credentialReference: hasCredential = true
        case .kSecUseItemList: hasItemList = true
        case Self.useTombstones: leavesTombstones = try isTrue(value)
        // The Mac drops the file keychain's key before the call reaches the data protection keychain.
        case .kSecUseUserIndependentKeychain, .kSecUseKeychain: break
        default: throw .param("a kSecUse key is unknown")
        }
        if hasContext && hasCredential { throw .param("a context and a credential exclude each other") }
    }

    private func isTrue(_ value: CallerValue) throws(KeychainError) -> Bool {
        switch value {
        case .boolean(let boolean): boolean
        case .integer(let number): number != 0
        default: throw .param("kSecUseTombstones is not true or false")
        }
    }

    private mutating func addContext(_ value: CallerValue) throws(KeychainError) {
        hasContext = true
        // A call without the context would ask for what it was to forbid, or use credentials that it was to bring.
        guard case .object(let object) = value, let context = object as? any AuthenticationContext else {
            throw .param("the object under kSecUseAuthenticationContext is no LAContext")
        }
        if context.isInvalidated { throw KeychainError(errSecAuthFailed, "the authentication context was invalidated") }
        self.context = context
    }

    /// How a call with that purpose may prompt.
    func asking(for action: Asking.Action) -> Asking {
        Asking(interaction, context: context, action: action, prompt: prompt)
    }

    /// What a store may do if it needs a prompt. The newer of the two keys wins.
    private var interaction: Interaction {
        switch authenticationUI {
        case .some(.kSecUseAuthenticationUISkip): .skipped
        case .some(.kSecUseAuthenticationUIFail): .forbidden
        case .some: .allowed
        case nil: forbidsUI ? .forbidden : .allowed
        }
    }

    /// Only a look-up can skip items that need a prompt.
    ///
    /// - Throws: `errSecParam` when the caller wants it.
    func requireNoSkipping() throws(KeychainError) {
        if authenticationUI == .kSecUseAuthenticationUISkip {
            throw .param("kSecUseAuthenticationUISkip is for look-ups only")
        }
    }

    /// - Throws: `errSecParam` when the caller gave a list of items.
    func requireNoItemList() throws(KeychainError) {
        if hasItemList { throw .param("kSecUseItemList is not supported") }
    }
}

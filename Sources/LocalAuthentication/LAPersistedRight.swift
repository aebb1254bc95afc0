// SPDX-License-Identifier: Apache-2.0

import SecItemShim

/// A right in the keychain. While it is authorized, its key and its secret can be used.
///
/// ``LARightStore`` gives it. Names and behaviour are those of
/// [LAPersistedRight](https://developer.apple.com/documentation/localauthentication/lapersistedright).
public final class LAPersistedRight: LARight, @unchecked Sendable {
    let saved: SavedRight

    init(_ saved: SavedRight) {
        self.saved = saved
        super.init(requirement: saved.requirement)
    }

    /// The key of the right. Its public half can always be used.
    public var key: LAPrivateKey { LAPrivateKey(saved, session) }

    /// The secret of the right.
    public var secret: LASecret { LASecret(saved, session) }

    override var authenticator: any PresenceAuthenticator { saved.keychain.authenticator }

    /// Reads the secret, which asks for all that its store demands. The context then opens the key too.
    override func evaluate(_ reason: String, in context: LAContext) throws {
        _ = try saved.secret(context, prompt: reason)
    }
}

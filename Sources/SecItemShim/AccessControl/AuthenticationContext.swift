// SPDX-License-Identifier: Apache-2.0

import SecItemStore

/// What the keychain has to know of the object under `kSecUseAuthenticationContext`.
///
/// `LAContext` is one; its module stands on this one, so it says so itself. Any thread may ask.
package protocol AuthenticationContext: AnyObject, Sendable {
    /// Whether to fail instead of asking the user.
    var interactionNotAllowed: Bool { get }

    /// Whether the context has ended: then no call may use it.
    var isInvalidated: Bool { get }

    /// What the user is told when the keychain asks on behalf of the context.
    var localizedReason: String { get }

    /// Whether nobody has to be asked any more, because it was proven to this context before, or lately enough to another.
    func hasProven(_ methods: PresenceRequest.Methods) -> Bool

    /// Remembers that the owner was recognised by one of the methods.
    ///
    /// - Returns: False if the context has ended meanwhile: then nothing was proven to it.
    func noteProof(of methods: PresenceRequest.Methods) -> Bool

    /// The password of the application that was set, or kept.
    var applicationPassword: Secret? { get }

    /// Keeps the password of an item, which the user has given and which was right, until the context ends.
    ///
    /// - Returns: False if the context has ended meanwhile: then it keeps nothing.
    func keep(applicationPassword: Secret) -> Bool

    /// The passphrase of the store that was set, or kept.
    var passphrase: Secret? { get }

    /// Keeps the passphrase of the store, which the user has given and which was right, until the context ends.
    ///
    /// - Returns: False if the context has ended meanwhile: then it keeps nothing.
    func keep(passphrase: Secret) -> Bool
}

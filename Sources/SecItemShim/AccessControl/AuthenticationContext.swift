// SPDX-License-Identifier: Apache-2.0

import SecItemStore

/// What the keychain has to know of the object under `kSecUseAuthenticationContext`.
///
/// `LAContext` conforms to it in its own module, which depends on this one. Any thread may call it.
package protocol AuthenticationContext: AnyObject, Sendable {
    /// Whether to fail instead of asking the user.
    var interactionNotAllowed: Bool { get }

    /// Whether the context has ended. No call may use it then.
    var isInvalidated: Bool { get }

    /// The text of the prompts that the keychain shows on behalf of the context.
    var localizedReason: String { get }

    /// Whether one of the methods was proven to this context before, or recently enough to another one.
    func hasProven(_ methods: PresenceRequest.Methods) -> Bool

    /// Remembers that the owner was recognised by one of the methods.
    ///
    /// - Returns: False if the context has ended meanwhile: then nothing was proven to it.
    func noteProof(of methods: PresenceRequest.Methods) -> Bool

    /// The password for items that the application has set or the user has typed.
    var applicationPassword: Secret? { get }

    /// The password for items to seal: not one that the user has typed only once, and that has opened nothing yet. Nobody
    /// could open what is sealed under a slip.
    var newApplicationPassword: Secret? { get }

    /// Keeps the password of an item that the user has typed, for other threads with this context, until it proves right
    /// or wrong.
    ///
    /// - Parameter isNew: Whether the user has typed it for items to seal, and so without a slip.
    /// - Returns: False if the context has ended meanwhile: then it keeps nothing.
    func propose(applicationPassword: Secret, isNew: Bool) -> Bool

    /// Keeps the password of an item that was right, until the context ends. One that the application has set stays its own.
    ///
    /// - Returns: False if the context has ended meanwhile: then it keeps nothing.
    func keep(applicationPassword: Secret) -> Bool

    /// Forgets a password that was wrong for an item, if the user has typed it and it was never right.
    ///
    /// - Returns: Whether the user may be asked for another. False if the application has set it, or it was right before.
    func takeBack(applicationPassword: Secret) -> Bool

    /// The passphrase of the store that the application has set or the user has typed.
    var passphrase: Secret? { get }

    /// Keeps the passphrase of the store, which the user has typed and which was right, until the context ends.
    ///
    /// - Returns: False if the context has ended meanwhile: then it keeps nothing.
    func keep(passphrase: Secret) -> Bool

    /// Forgets a passphrase that opens the store no longer, if the user has typed it.
    ///
    /// - Returns: Whether the user may be asked for another. False if the application has set it.
    func takeBack(passphrase: Secret) -> Bool
}

extension AuthenticationContext {
    package var newApplicationPassword: Secret? { applicationPassword }

    package func propose(applicationPassword: Secret, isNew: Bool) -> Bool { !isInvalidated }

    package func takeBack(applicationPassword: Secret) -> Bool { false }

    package func takeBack(passphrase: Secret) -> Bool { false }
}

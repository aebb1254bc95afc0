// SPDX-License-Identifier: Apache-2.0

import SecItemStore

/// The stores, and the services of the machine, that the package was built with.
package protocol Platform: Sendable {
    /// Chooses the store that an application works with, and opens it.
    ///
    /// - Parameters:
    ///   - application: The application that will use the store.
    ///   - owner: The application whose items to look for: `application`, or another name whose items it is about to
    ///     adopt.
    /// - Throws: The status that every call gives while no store is available; `errSecInteractionNotAllowed` if a person
    ///   would have to be asked and that is not allowed.
    func chooseStore(
        _ choice: LinuxKeychain.Store, environment: [String: String], application: ClientApplication,
        owner: ClientApplication, interaction: Interaction
    ) throws(KeychainError) -> ChosenStore

    /// The machine's chip; nil if there is none.
    ///
    /// - Throws: `errSecNotAvailable` if there is one that this user may not use.
    func findChip() throws(KeychainError) -> (any SecurityChip)?

    /// The authenticator that asks the person at the screen; nil if the package was built without the trait for it.
    func findDesktopAuthenticator() -> (any PresenceAuthenticator)?

    /// The watcher that learns when the session is locked.
    ///
    /// - Throws: `errSecNotAvailable` if there is none.
    func makeSessionWatch(_ lock: @escaping @Sendable () -> Void) throws(KeychainError) -> any SessionWatch
}

/// What the package was built with.
///
/// Defined in `SecItemSelection`. The linker finds it by its symbol name, because a module that imported
/// `SecItemSelection` would pass that module's own imports on to every client (docs/decisions.md, 17).
@_silgen_name("secitem_platform")
func platform() -> any Platform

/// The machine's chip, for keys.
///
/// - Throws: `errSecUnimplemented` if there is none, `errSecNotAvailable` if this user may not use it.
func machineChip() throws(KeychainError) -> any SecurityChip {
    guard let chip = try platform().findChip() else { throw .unimplemented("there is no chip to keep keys in") }
    return chip
}

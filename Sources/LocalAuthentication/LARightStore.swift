// SPDX-License-Identifier: Apache-2.0

import SecItemShim
import SecItemStore

/// Keeps rights in the keychain, each with a key and, if the application wants it, a secret. Only the authorized right opens
/// them.
///
///     let right = LARight(requirement: .biometry(fallback: .devicePasscode))
///     _ = try await LARightStore.shared.saveRight(right, identifier: "token", secret: token)
///     let saved = try await LARightStore.shared.right(forIdentifier: "token")
///     try await saved.authorize(localizedReason: "Sign in")
///     let secret = try await saved.secret.rawData
///
/// A right consists of two guarded items of the application: a private key on the curve P-256, and a generic password. What
/// guards them is what guards other items with the same constraints; docs/security.md says what that is worth in each store.
/// Unlike on Apple's platforms, no chip makes the key. In a store with a passphrase, a right that a password may authorize
/// is sealed under the passphrase, and `authorize` asks for the passphrase instead of the user's password.
///
/// Besides an `LAError`, the calls give these errors. An `NSError` of the domain `LAErrorDomain` has the code -1019 if there
/// is no such right or secret, and -1008 if the identifier is taken. Apple gives those codes no names, so they do not cast to
/// `LAError`. An `NSError` of the domain `NSOSStatusErrorDomain` has the status of a failed keychain call: for example
/// `errSecNotAvailable` if the store does not answer, or the status with which it refuses an item that it cannot guard.
///
/// Names and behaviour are those of
/// [LARightStore](https://developer.apple.com/documentation/localauthentication/larightstore).
public final class LARightStore: NSObject, Sendable {
    private let keychain: any RightKeychain

    /// The rights of the application.
    public static let shared = LARightStore(ApplicationKeychain())

    /// Makes a store of rights over a keychain.
    package init(_ keychain: any RightKeychain) {
        self.keychain = keychain
        super.init()
    }

    // MARK: Finding and saving

    /// Finds a saved right. Asks nobody: the right is not authorized.
    ///
    /// - Parameters:
    ///   - identifier: The identifier with which it was saved.
    ///   - handler: Called once, on any thread, with the right or an error.
    @preconcurrency
    public func right(
        forIdentifier identifier: String,
        completion handler: @escaping @Sendable (LAPersistedRight?, (any Error)?) -> Void
    ) {
        onThread(answering: handler) { [keychain] in
            LAPersistedRight(try SavedRight(finding: identifier, in: keychain))
        }
    }

    /// Finds a saved right. Asks nobody: the right is not authorized.
    ///
    /// - Parameter identifier: The identifier with which it was saved.
    /// - Throws: An error of the list above.
    public func right(forIdentifier identifier: String) async throws -> LAPersistedRight {
        try await withCheckedThrowingContinuation { continuation in
            right(forIdentifier: identifier) { continuation.resume(with: Result($0, $1)) }
        }
    }

    /// Saves a right with a new key and no secret.
    ///
    /// - Parameters:
    ///   - right: The right. Its requirement is saved; it need not be authorized, and is not changed.
    ///   - identifier: The name under which the right can be found again.
    ///   - handler: Called once, on any thread, with the saved right or an error.
    @preconcurrency
    public func saveRight(
        _ right: LARight, identifier: String,
        completion handler: @escaping @Sendable (LAPersistedRight?, (any Error)?) -> Void
    ) {
        save(right, identifier, nil, handler)
    }

    /// Saves a right with a new key and no secret.
    ///
    /// - Parameters:
    ///   - right: The right. Its requirement is saved; it need not be authorized, and is not changed.
    ///   - identifier: The name under which the right can be found again.
    /// - Returns: The saved right, which is not authorized.
    /// - Throws: An error of the list above.
    public func saveRight(_ right: LARight, identifier: String) async throws -> LAPersistedRight {
        try await withCheckedThrowingContinuation { continuation in
            saveRight(right, identifier: identifier) { continuation.resume(with: Result($0, $1)) }
        }
    }

    /// Saves a right with a new key and a secret.
    ///
    /// - Parameters:
    ///   - right: The right. Its requirement is saved; it need not be authorized, and is not changed.
    ///   - identifier: The name under which the right can be found again.
    ///   - secret: The secret. May be empty.
    ///   - handler: Called once, on any thread, with the saved right or an error.
    @preconcurrency
    public func saveRight(
        _ right: LARight, identifier: String, secret: Data,
        completion handler: @escaping @Sendable (LAPersistedRight?, (any Error)?) -> Void
    ) {
        save(right, identifier, secret, handler)
    }

    /// Saves a right with a new key and a secret.
    ///
    /// - Parameters:
    ///   - right: The right. Its requirement is saved; it need not be authorized, and is not changed.
    ///   - identifier: The name under which the right can be found again.
    ///   - secret: The secret. May be empty.
    /// - Returns: The saved right, which is not authorized.
    /// - Throws: An error of the list above.
    public func saveRight(_ right: LARight, identifier: String, secret: Data) async throws -> LAPersistedRight {
        try await withCheckedThrowingContinuation { continuation in
            saveRight(right, identifier: identifier, secret: secret) { continuation.resume(with: Result($0, $1)) }
        }
    }

    private func save(
        _ right: LARight, _ identifier: String, _ secret: Data?,
        _ handler: @escaping @Sendable (LAPersistedRight?, (any Error)?) -> Void
    ) {
        onThread(answering: handler) { [keychain, requirement = right.requirement] in
            try SavedRight.save(requirement, identifier, secret: secret, in: keychain)
            return LAPersistedRight(try SavedRight(finding: identifier, in: keychain))
        }
    }

    // MARK: Removing

    /// Removes a right with its key and its secret. Asks nobody.
    ///
    /// - Parameters:
    ///   - right: The right.
    ///   - handler: Called once, on any thread, with nil if nothing of the right is in the keychain, and otherwise with an
    ///     error.
    @preconcurrency
    public func removeRight(_ right: LAPersistedRight, completion handler: @escaping @Sendable ((any Error)?) -> Void) {
        removeRight(forIdentifier: right.saved.identifier, completion: handler)
    }

    /// Removes a right with its key and its secret. Asks nobody.
    ///
    /// - Parameter right: The right.
    /// - Throws: An error of the list above.
    public func removeRight(_ right: LAPersistedRight) async throws {
        try await removeRight(forIdentifier: right.saved.identifier)
    }

    /// Removes a right with its key and its secret. Asks nobody.
    ///
    /// - Parameters:
    ///   - identifier: The identifier with which it was saved.
    ///   - handler: Called once, on any thread, with nil if nothing of such a right is in the keychain, and otherwise with an
    ///     error.
    @preconcurrency
    public func removeRight(
        forIdentifier identifier: String, completion handler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        onThread(answering: handler) { [keychain] in try SavedRight.remove(identifier, from: keychain) }
    }

    /// Removes a right with its key and its secret. Asks nobody. It is no error if there is no such right.
    ///
    /// - Parameter identifier: The identifier with which it was saved.
    /// - Throws: An error of the list above.
    public func removeRight(forIdentifier identifier: String) async throws {
        try await withCheckedThrowingContinuation { continuation in
            removeRight(forIdentifier: identifier) { continuation.resume(with: $0.map(Result.failure) ?? .success(())) }
        }
    }

    /// Removes all rights that the application can see, with their keys and secrets. Asks nobody.
    ///
    /// - Parameter handler: Called once, on any thread, with nil if no right is in the keychain, and otherwise with an error.
    @preconcurrency
    public func removeAllRights(completion handler: @escaping @Sendable ((any Error)?) -> Void) {
        onThread(answering: handler) { [keychain] in try SavedRight.removeAll(from: keychain) }
    }

    /// Removes all rights that the application can see, with their keys and secrets. Asks nobody.
    ///
    /// - Throws: An error of the list above.
    public func removeAllRights() async throws {
        try await withCheckedThrowingContinuation { continuation in
            removeAllRights { continuation.resume(with: $0.map(Result.failure) ?? .success(())) }
        }
    }
}

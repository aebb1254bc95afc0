// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemShim
import SecItemStore

/// What a context was told, and what was proven to it. Any thread may use it.
final class ContextMemory: Sendable {
    struct Settings {
        var fallbackTitle: String?
        var cancelTitle: String?
        var reason = ""
        var interactionNotAllowed = false
        var reuseDuration: TimeInterval = 0
        /// The enrolled fingers when a policy that takes them was last found to be possible.
        var evaluatedFingers: Data?
        fileprivate(set) var isValid = true
        /// What was proven: of each set one method was.
        fileprivate var proven: [PresenceRequest.Methods] = []
        /// The passphrase that was asked for.
        fileprivate var givenPassphrase: Secret?
        /// The password of an item that was asked for.
        fileprivate var givenPassword: Secret?
        /// The process to which that was proven and given: a forked child has to ask for itself.
        fileprivate var process = getpid()

        /// Forgets what was proven to another process.
        fileprivate mutating func forgetOthersProofs() {
            if process == getpid() { return }
            (proven, givenPassphrase, givenPassword, process) = ([], nil, nil, getpid())
        }
        fileprivate var credentials: [LACredentialType: Secret] = [:]
    }

    private let settings = ForkableState(Settings())

    func with<Result>(_ body: (inout Settings) -> Result) -> Result { settings.withLock(body) }

    var isValid: Bool { with { $0.isValid } }

    /// Ends the context. What was proven is forgotten, and the credentials are wiped.
    func invalidate() {
        with { settings in
            settings.isValid = false
            settings.proven = []
            settings.givenPassphrase = nil
            settings.givenPassword = nil
            settings.credentials = [:]
        }
    }

    // MARK: Proofs

    /// Whether it was proven by one of these methods, and no other that would not do.
    func hasProven(_ methods: PresenceRequest.Methods) -> Bool {
        with { settings in
            settings.forgetOthersProofs()
            return settings.isValid && settings.proven.contains { $0.isSubset(of: methods) }
        }
    }

    /// Remembers a proof.
    ///
    /// - Returns: False if the context has ended meanwhile: then nothing was proven to it.
    func note(_ methods: PresenceRequest.Methods) -> Bool {
        with { settings in
            guard settings.isValid else { return false }
            settings.forgetOthersProofs()
            if !settings.proven.contains(methods) { settings.proven.append(methods) }
            return true
        }
    }

    // MARK: Credentials

    /// - Returns: False where the context has ended, or takes no such credential.
    func set(_ credential: Data?, _ type: LACredentialType) -> Bool {
        guard type != .smartCardPIN else { return false }
        let secret = credential.map { Secret($0) }
        return with { settings in
            guard settings.isValid else { return false }
            settings.credentials[type] = secret
            if type == .applicationPassword { settings.givenPassword = nil }
            return true
        }
    }

    func credential(_ type: LACredentialType) -> Secret? { with { $0.credentials[type] } }

    /// The passphrase of the store: the one that was set, or given.
    var passphrase: Secret? {
        with { settings in
            settings.forgetOthersProofs()
            return settings.credentials[.devicePasscode] ?? settings.givenPassphrase
        }
    }

    /// The password of the application's items: the one that was set, or given.
    var applicationPassword: Secret? {
        with { settings in
            settings.forgetOthersProofs()
            return settings.credentials[.applicationPassword] ?? settings.givenPassword
        }
    }

    /// Keeps a password that the user has given.
    ///
    /// - Returns: False where the context has ended.
    func keep(applicationPassword: Secret) -> Bool {
        with { settings in
            guard settings.isValid else { return false }
            settings.forgetOthersProofs()
            settings.givenPassword = applicationPassword
            return true
        }
    }

    /// Keeps a passphrase that the user has given.
    ///
    /// - Returns: False where the context has ended.
    func keep(passphrase: Secret) -> Bool {
        with { settings in
            guard settings.isValid else { return false }
            settings.forgetOthersProofs()
            settings.givenPassphrase = passphrase
            return true
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemShim
import SecItemStore

/// The settings and credentials of a context, and what was proven to it. Any thread may use it.
final class ContextMemory: Sendable {
    struct Settings {
        var fallbackTitle: String?
        var cancelTitle: String?
        var reason = ""
        var interactionNotAllowed = false
        var reuseDuration: TimeInterval = 0
        var greatestFailureCount: Int?
        /// The enrolled fingers when a policy that accepts them was last checked or evaluated.
        var evaluatedFingers: Data?
        fileprivate(set) var isValid = true
        /// What was proven: one method of each set.
        fileprivate var proven: [PresenceRequest.Methods] = []
        fileprivate var givenPassphrase: Secret?
        /// The password of an item that the user has typed.
        fileprivate var givenPassword: Secret?
        /// What is known of that password.
        fileprivate var givenPasswordIs = TypedPassword.typed
        /// The process in which the user has proven and typed that. A child process must ask for itself.
        fileprivate var process = getpid()

        /// Forgets what was proven in another process.
        fileprivate mutating func forgetOthersProofs() {
            if process == getpid() { return }
            (proven, givenPassphrase, givenPassword, process) = ([], nil, nil, getpid())
        }
        fileprivate var credentials: [LACredentialType: Secret] = [:]
    }

    /// What is known of a password that the user has typed.
    enum TypedPassword {
        /// Typed once: it may be a slip.
        case typed
        /// Typed for items to seal, and so without a slip.
        case repeated
        /// It has opened or sealed an item.
        case right
    }

    private let settings = LockedValue(Settings())

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

    /// Whether one of these methods, and no other, was proven.
    func hasProven(_ methods: PresenceRequest.Methods) -> Bool {
        with { settings in
            settings.forgetOthersProofs()
            return settings.isValid && settings.proven.contains { $0.isSubset(of: methods) }
        }
    }

    /// Remembers a proof.
    ///
    /// - Returns: False if the context has ended meanwhile. Then nothing was proven to it.
    func note(_ methods: PresenceRequest.Methods) -> Bool {
        with { settings in
            guard settings.isValid else { return false }
            settings.forgetOthersProofs()
            if !settings.proven.contains(methods) { settings.proven.append(methods) }
            return true
        }
    }

    // MARK: Credentials

    /// - Returns: False if the context has ended, or accepts no such credential.
    func set(_ credential: Data?, _ type: LACredentialType) -> Bool {
        guard type != .smartCardPIN else { return false }
        let secret = credential.map { Secret($0) }
        return with { settings in
            guard settings.isValid else { return false }
            settings.credentials[type] = secret
            if type == .applicationPassword { settings.givenPassword = nil }
            if type == .devicePasscode { settings.givenPassphrase = nil }
            return true
        }
    }

    func credential(_ type: LACredentialType) -> Secret? { with { $0.credentials[type] } }

    /// The passphrase of the store that the application has set or the user has typed.
    var passphrase: Secret? {
        with { settings in
            settings.forgetOthersProofs()
            return settings.credentials[.devicePasscode] ?? settings.givenPassphrase
        }
    }

    /// The password for items that the application has set or the user has typed.
    var applicationPassword: Secret? {
        with { settings in
            settings.forgetOthersProofs()
            return settings.credentials[.applicationPassword] ?? settings.givenPassword
        }
    }

    /// The password for items to seal: one that the application has set, or that the user has not just typed once.
    var newApplicationPassword: Secret? {
        with { settings in
            settings.forgetOthersProofs()
            if let own = settings.credentials[.applicationPassword] { return own }
            return settings.givenPasswordIs == .typed ? nil : settings.givenPassword
        }
    }

    /// Keeps a password that the user has typed, unless the application has set one.
    ///
    /// - Returns: False if the context has ended.
    func keep(applicationPassword: Secret, _ known: TypedPassword) -> Bool {
        with { settings in
            guard settings.isValid else { return false }
            settings.forgetOthersProofs()
            if settings.credentials[.applicationPassword] != nil { return true }
            (settings.givenPassword, settings.givenPasswordIs) = (applicationPassword, known)
            return true
        }
    }

    /// Forgets a password that was wrong, if the user has typed it and it was never right.
    ///
    /// - Returns: Whether the user may be asked for another.
    func takeBack(applicationPassword wrong: Secret) -> Bool {
        with { settings in
            settings.forgetOthersProofs()
            if settings.credentials[.applicationPassword] != nil { return false }
            // Another thread may have taken it back, and the user may have typed another one meanwhile.
            guard let given = settings.givenPassword, given.hasSameBytes(as: wrong) else { return true }
            if settings.givenPasswordIs == .right { return false }
            settings.givenPassword = nil
            return true
        }
    }

    /// Keeps a passphrase that the user has typed.
    ///
    /// - Returns: False if the context has ended.
    func keep(passphrase: Secret) -> Bool {
        with { settings in
            guard settings.isValid else { return false }
            settings.forgetOthersProofs()
            settings.givenPassphrase = passphrase
            return true
        }
    }

    /// Forgets a passphrase that is wrong by now, if the user has typed it.
    ///
    /// - Returns: Whether the user may be asked for another.
    func takeBack(passphrase wrong: Secret) -> Bool {
        with { settings in
            settings.forgetOthersProofs()
            if settings.credentials[.devicePasscode] != nil { return false }
            // Another thread may have taken it back, and the user may have typed another one meanwhile.
            if settings.givenPassphrase?.hasSameBytes(as: wrong) == true { settings.givenPassphrase = nil }
            return true
        }
    }
}

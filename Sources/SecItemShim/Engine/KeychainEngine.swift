// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemSealing
import SecItemStore

/// Apple's semantics over any store: defaults, access groups, protection, match rules and limits.
package struct KeychainEngine: Sendable {
    let store: any KeychainStore
    let application: ClientApplication
    private let ownAuthenticator: (any PresenceAuthenticator)?
    /// The scrypt cost for the key of a new item with a password.
    let passwordCost: ScryptCost

    package init(
        store: any KeychainStore, application: ClientApplication,
        authenticator: (any PresenceAuthenticator)? = nil, passwordCost: ScryptCost = .standard
    ) {
        self.store = store
        self.application = application
        ownAuthenticator = authenticator
        self.passwordCost = passwordCost
    }

    /// Checks whether the person at the machine is its owner: the authenticator that the application has chosen, unless
    /// the engine was created with another.
    var authenticator: any PresenceAuthenticator { ownAuthenticator ?? LinuxKeychain.presenceAuthenticator }

    /// - Throws: `errSecNotAvailable` if the store cannot protect items of that class.
    func checkProtection(_ accessible: Accessible) throws(KeychainError) {
        switch accessible {
        case .whenPasscodeSetThisDeviceOnly where !store.isPassphraseProtected:
            throw .notAvailable("no passphrase protects the store")
        case .untilReboot: throw .notAvailable("no store keeps items until the machine restarts")
        default: break
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemShim
import SecItemStore
import Security

/// A store that is replaced while it is in use.
enum ReplacingProbe {
    /// An application's own store, which uses the keychain when it is released.
    private final class Talkative: ForwardingStore {
        let base: any KeychainStore = InMemoryStore()

        deinit {
            say("end \(find("one")) \(LinuxKeychain.applicationIdentifier)")
        }
    }

    /// Replaces a store in every way.
    static func talk() {
        LinuxKeychain.use(.custom(Talkative()))
        say("custom \(add("one")) \(find("one"))")
        LinuxKeychain.use(.inMemory)
        say("memory \(find("one"))")
        // Never used: only the setting refers to it.
        LinuxKeychain.use(.custom(Talkative()))
        LinuxKeychain.use(.inMemory)
        // The closure for the passphrase may also hold the last reference to an object.
        let keeper = Talkative()
        LinuxKeychain.use(.embedded(passphrase: .closure { [keeper] in withExtendedLifetime(keeper) { nil } }))
    }
}

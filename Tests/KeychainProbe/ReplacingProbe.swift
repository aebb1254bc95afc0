// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemShim
import SecItemStore
import Security

/// A store that another one replaces while it is in use.
enum ReplacingProbe {
    /// A store of the application's own, whose end uses the keychain.
    private final class Talkative: ForwardingStore {
        let base: any KeychainStore = InMemoryStore()

        deinit {
            say("end \(find("one")) \(LinuxKeychain.applicationIdentifier)")
        }
    }

    /// Each way to replace a store.
    static func talk() {
        LinuxKeychain.use(.custom(Talkative()))
        say("custom \(add("one")) \(find("one"))")
        LinuxKeychain.use(.inMemory)
        say("memory \(find("one"))")
        // Never used: only the choice has it.
        LinuxKeychain.use(.custom(Talkative()))
        LinuxKeychain.use(.inMemory)
        // The passphrase's closure may be the last to know an object, too.
        let keeper = Talkative()
        LinuxKeychain.use(.embedded(passphrase: .closure { [keeper] in withExtendedLifetime(keeper) { nil } }))
    }
}

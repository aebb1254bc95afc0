// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemShim
import SecItemStore
import Security

/// A store that asks for its passphrase, and other calls in the meantime.
enum OpeningProbe {
    private static func use(_ folder: String, _ ask: @escaping @Sendable () -> Data?) {
        LinuxKeychain.use(.embedded(directory: URL(fileURLWithPath: folder), passphrase: .closure(ask)))
    }

    /// The closure that asks for the passphrase uses the keychain, both while the store is made and while it is
    /// unlocked.
    static func reenter(_ folder: String) {
        for account in ["new", "old"] {
            use(folder) {
                say("inside \(find("other")) \(add("other"))")
                // Reading the settings in a closure must not change anything.
                _ = LinuxKeychain.applicationIdentifier
                return Data("passphrase".utf8)
            }
            say("outside \(add(account)) \(find(account))")
        }
    }

    /// A thread asks a person who answers slowly. Other threads make calls in the meantime.
    static func waitForSlowPerson(_ folder: String) {
        for account in ["new", "old"] {
            let isAsked = DispatchSemaphore(value: 0), hasAnswered = DispatchSemaphore(value: 0)
            let isOver = DispatchGroup()
            use(folder) {
                isAsked.signal()
                hasAnswered.wait()
                return Data("passphrase".utf8)
            }
            isOver.enter()
            Thread {
                say("first \(add(account))")
                isOver.leave()
            }.start()
            isAsked.wait()
            // This call returns while the person is being asked. Otherwise, the program would wait forever.
            let silent: [CFString: Any] = [
                kSecValueData: Data(), kSecUseAuthenticationUI: kSecUseAuthenticationUIFail,
            ]
            say("fail \(SecItemAdd(password("silent", silent), nil))")
            say("skip \(find("old", [kSecUseAuthenticationUI: kSecUseAuthenticationUISkip]))")
            say("wrong \(SecItemCopyMatching([kSecClass: "no class"] as CFDictionary, nil))")
            let other = DispatchSemaphore(value: 0)
            Thread {
                other.signal()
                say("waited \(find(account))")
                other.signal()
            }.start()
            other.wait()
            usleep(50_000)
            // Then all other threads that need the passphrase get results too.
            for _ in 0..<10 { hasAnswered.signal() }
            isOver.wait()
            other.wait()
            say("added \(find(account))")
        }
    }
}

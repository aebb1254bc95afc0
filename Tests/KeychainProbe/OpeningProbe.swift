// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemShim
import SecItemStore
import Security
import Synchronization

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

    /// Forks while threads open, lock and unlock the store, and look items up.
    static func fork(_ folder: String) {
        let isOver = Flag()
        let running = DispatchGroup()
        let open: @Sendable () -> Void = { use(folder) { Data("passphrase".utf8) } }
        open()
        guard add("before") == errSecSuccess else { return say("no item") }
        for number in 0..<4 {
            running.enter()
            Thread {
                while !isOver.isSet {
                    if number == 0 { open() }
                    if number == 1 {
                        try? LinuxKeychain.lock()
                        try? LinuxKeychain.unlock(passphrase: Data("passphrase".utf8))
                    }
                    _ = find("before", number == 2 ? [kSecUseAuthenticationUI: kSecUseAuthenticationUIFail] : [:])
                }
                running.leave()
            }.start()
        }
        for child in 0..<forks {
            usleep(useconds_t.random(in: 1_000...30_000))
            let process = forkProcess()
            if process == 0 {
                // Ends the child if it hangs.
                alarm(100)
                open()
                let statuses = [find("before"), add("child \(child)"), find("child \(child)")]
                _exit(statuses == [0, 0, 0] ? 0 : 1)
            }
            var status: Int32 = 0
            guard process > 0, waitpid(process, &status, 0) == process, status == 0 else {
                say("child \(child) ended with \(status)")
                exit(1)
            }
        }
        isOver.set()
        running.wait()
        open()
        let found = (0..<forks).filter { find("child \($0)") == errSecSuccess }
        say("done \(found.count) \(find("before"))")
    }

    /// Each fork costs several derivations of a key from the passphrase, in both processes.
    private static let forks = 4

    // Swift does not allow calling `fork` by its name.
    private static let forkProcess = unsafeBitCast(
        dlsym(nil, "fork"), to: (@convention(c) () -> pid_t).self)
}

/// A flag that one thread sets for others.
private final class Flag: Sendable {
    private let value = Atomic(false)

    var isSet: Bool { value.load(ordering: .relaxed) }
    func set() { value.store(true, ordering: .relaxed) }
}

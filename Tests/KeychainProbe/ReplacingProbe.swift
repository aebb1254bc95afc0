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

    /// Forks while a thread replaces the store, by another choice and by another name.
    static func fork(_ folder: String) {
        let isOver = Flag()
        let replacing = DispatchGroup()
        let embedded = LinuxKeychain.Store.embedded(directory: URL(fileURLWithPath: folder), passphrase: .none)
        LinuxKeychain.use(embedded)
        _ = add("one")
        for number in 0..<2 {
            replacing.enter()
            Thread {
                while !isOver.isSet {
                    _ = find("one")
                    if number == 0 { LinuxKeychain.use(embedded) } else { LinuxKeychain.applicationIdentifier += "" }
                }
                replacing.leave()
            }.start()
        }
        for _ in 0..<200 {
            let process = OpeningProbe.forkProcess()
            if process == 0 {
                // Ends the child where it hangs.
                alarm(60)
                LinuxKeychain.use(embedded)
                _exit(find("one") == errSecSuccess ? 0 : 1)
            }
            var status: Int32 = 0
            guard process > 0, waitpid(process, &status, 0) == process, status == 0 else {
                say("a child ended with \(status)")
                exit(1)
            }
        }
        isOver.set()
        replacing.wait()
        say("done \(find("one"))")
    }
}

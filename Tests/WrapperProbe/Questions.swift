// SPDX-License-Identifier: Apache-2.0

import Foundation
import KCMutableDictionary
import Security

/// A dictionary in the keychain that is used while its store asks for a passphrase.
enum Questions {
    private static func use(_ folder: String, _ passphrase: @escaping @Sendable () -> Data?) {
        let directory = URL(fileURLWithPath: folder).appendingPathComponent("store")
        LinuxKeychain.use(.embedded(directory: directory, passphrase: .closure { passphrase() }))
    }

    /// The closure reads and changes the dictionary that needs the passphrase. Both fail, and then the closure answers.
    static func askFromWithin(folder: String) throws {
        use(folder) {
            let dictionary = KCMutableDictionary.dictionary(withName: "settings")
            dictionary["from within"] = true
            guard dictionary.lastError?.status == errSecInteractionNotAllowed else { exit(3) }
            return Data("passphrase".utf8)
        }
        let dictionary = KCMutableDictionary.dictionary(withName: "settings")
        dictionary["from outside"] = true
        guard dictionary.lastError == nil, dictionary.count == 1 else {
            throw Broken(description: "\(dictionary.count) entries, \(String(describing: dictionary.lastError))")
        }
    }

    /// A child that was forked while another thread was asking uses the dictionary.
    static func forkWhileAsked(folder: String) throws {
        let isAsked = DispatchSemaphore(value: 0)
        let parent = getpid()
        use(folder) {
            if getpid() == parent {
                isAsked.signal()
                sleep(2)
            }
            return Data("passphrase".utf8)
        }
        let isDone = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            KCMutableDictionary.dictionary(withName: "settings")["parent"] = true
            isDone.signal()
        }
        isAsked.wait()
        typealias Fork = @convention(c) () -> pid_t
        guard let symbol = dlsym(nil, "fork") else { throw Broken(description: "no fork") }
        let child = unsafeBitCast(symbol, to: Fork.self)()
        if child == 0 {
            alarm(20)
            let dictionary = KCMutableDictionary.dictionary(withName: "settings")
            _ = dictionary.count
            _ = KCMutableDictionary.dictionary(withName: "another").count
            _exit(0)
        }
        var status: Int32 = 0
        guard waitpid(child, &status, 0) == child, status == 0 else {
            throw Broken(description: "the child ended with \(status)")
        }
        isDone.wait()
    }
}

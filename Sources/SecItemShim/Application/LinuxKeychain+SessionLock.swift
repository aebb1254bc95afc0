// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

extension LinuxKeychain {
    /// Whether the store is locked, as by ``lock()``, each time the user's session is locked, and before the machine
    /// sleeps. False unless it is set.
    ///
    /// It takes logind, and a package that is built with its trait `Polkit`. Where logind cannot be reached, it stays false,
    /// and the log says why: read it after you have set it. It is false in a child process, too, until that sets it again.
    /// A program without a session, such as a service, hears of sleep only. logind is not made to wait: a machine that falls
    /// asleep in the very moment may wake up before the keys are wiped.
    ///
    /// While it is false, nothing runs for it. Setting it makes a connection to the system bus, and waits for that for some
    /// seconds at most.
    public static var locksWithSession: Bool {
        get { sessionWatch.withLock { $0 }?.isWatching ?? false }
        set { newValue ? watchSession() : replaceWatch(by: nil) }
    }

    private static let sessionWatch = LockedValue<(any SessionWatch)?>(nil)

    private static func watchSession() {
        if locksWithSession { return }
        do throws(KeychainError) {
            let watch = try platform().makeSessionWatch {
                do {
                    try lock()
                } catch {
                    CallLog.logger.warning(
                        "the session was locked, but the store could not be locked", metadata: ["reason": "\(error)"])
                }
            }
            replaceWatch(by: watch)
        } catch {
            CallLog.logger.warning(
                "the store will not be locked with the session", metadata: ["reason": "\(error)"])
        }
    }

    private static func replaceWatch(by watch: (any SessionWatch)?) {
        // Freed when the lock is free again.
        let before = sessionWatch.withLock { current in
            let before = current
            current = watch
            return before
        }
        withExtendedLifetime(before) {}
    }
}

/// Something that hears when the session is locked, for as long as it lives.
package protocol SessionWatch: AnyObject, Sendable {
    /// Whether it still does.
    var isWatching: Bool { get }
}

// SPDX-License-Identifier: Apache-2.0

import SecItemBus
import Synchronization

/// Selects the signals that concern this program's session, among all signals of logind and others.
final class SessionSignals: Sendable {
    /// The name of logind on the bus. Others may send signals too.
    private let owner: Mutex<String>
    private let session: String?

    /// - Parameter session: The path of the session, if the program is in one.
    init(owner: String, session: String?) {
        self.owner = Mutex(owner)
        self.session = session
    }

    /// Whether a signal reports that the session is locked, or that the machine goes to sleep.
    func tellLock(_ signal: Inbox.Signal) -> Bool {
        if signal.sender == "org.freedesktop.DBus" { noteOwner(signal) }
        return signal.sender == owner.withLock { $0 } && isLock(signal)
    }

    /// After a restart, logind has another name.
    private func noteOwner(_ signal: Inbox.Signal) {
        guard signal.member == "NameOwnerChanged", signal.arguments.type == "(sss)",
            signal.arguments[0].string == LoginSession.service
        else { return }
        owner.withLock { $0 = signal.arguments[2].string }
    }

    private func isLock(_ signal: Inbox.Signal) -> Bool {
        switch (signal.interface, signal.member) {
        case (LoginSession.manager, "PrepareForSleep"):
            // False says that the machine is awake again.
            signal.arguments.type == "(b)" && signal.arguments[0].boolean
        case (LoginSession.interface, "Lock"): signal.path == session
        case ("org.freedesktop.DBus.Properties", "PropertiesChanged"):
            // The desktop may lock the screen without an earlier signal of logind.
            signal.path == session && signal.arguments.type == "(sa{sv}as)"
                && signal.arguments[0].string == LoginSession.interface
                && signal.arguments[1].properties["LockedHint"]?.boolean == true
        default: false
        }
    }
}

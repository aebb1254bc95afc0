// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemBus
import SecItemShim
import SecItemStore

/// Learns from logind when the session is locked, and when the machine goes to sleep.
package final class SessionWatcher: SessionWatch {
    private static let timeLimit = 5.0

    private let bus: BusConnection
    private let listener: BusConnection.Listener
    private let process = getpid()

    /// Whether it still receives signals: not in a child process, and not after the bus is gone.
    package var isWatching: Bool { process == getpid() && !bus.isClosed }

    /// - Parameter lock: Called on a separate thread each time the session is locked or the machine goes to sleep.
    /// - Throws: ``StoreError/Code/unavailable`` if there is no system bus, or no logind on it.
    package init(
        environment: [String: String] = SecureExecution.environment, lock: @escaping @Sendable () -> Void
    ) throws(StoreError) {
        do throws(BusFailure) {
            bus = try BusConnection(address: BusAddress.ofSystemBus(in: environment), timeLimit: Self.timeLimit)
            let ask = BusConnection.Call.bus(
                "GetNameOwner", .tuple(.string(LoginSession.service)), answer: "(s)")
            let signals = SessionSignals(
                owner: try bus.call(ask)[0].string,
                session: LoginSession.find(on: bus, environment: environment)?.path)
            listener = bus.listen { signal in
                // The store may be busy, and GLib's thread should not wait for it. But a lock matters more than other signals.
                guard signals.tellLock(signal) else { return }
                if !DetachedThread.start(lock) { lock() }
            }
            bus.subscribe(
                to: "sender='\(LoginSession.service)'",
                "sender='org.freedesktop.DBus',member='NameOwnerChanged',arg0='\(LoginSession.service)'")
            // The answer shows that the bus has recorded the subscriptions.
            _ = try bus.call(ask)
        } catch {
            throw StoreError(.unavailable, "logind cannot be reached: \(error)", underlying: error)
        }
    }
}

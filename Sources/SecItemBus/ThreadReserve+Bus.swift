// SPDX-License-Identifier: Apache-2.0

import SecItemStore

/// The threads that GLib starts for the first connection of a process, and keeps.
///
/// GLib ends the process if it cannot start one of them. So the first connection requires that some can be started.
extension ThreadReserve {
    /// One more than GLib starts (its main context's and its bus's) and the one that ends a connection in time.
    private static let count = 4

    /// - Throws: `BusFailure` with `.outOfThreads` when there are fewer.
    static func require() throws(BusFailure) {
        if let number = shortage(of: count) {
            throw BusFailure(.outOfThreads, "errno \(number)", "no threads can be started")
        }
    }
}

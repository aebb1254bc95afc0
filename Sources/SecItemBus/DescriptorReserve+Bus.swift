// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// The file descriptors that GLib and libsecret need briefly to make a connection.
///
/// GLib ends the process if it cannot create the event descriptor of a main context. So each step that creates one
/// requires some free descriptors. Calls on an open connection need none.
extension DescriptorReserve {
    /// More than a connection and a session take together, so that other threads may take some in between.
    package static let count = 16

    /// - Throws: `BusFailure` with `.outOfDescriptors` when there are fewer.
    package static func require() throws(BusFailure) {
        if let number = shortage(of: count) {
            throw BusFailure(.outOfDescriptors, "errno \(number)", "no file descriptors are left")
        }
    }
}

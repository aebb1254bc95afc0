// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The file descriptors that GLib and libsecret need briefly to make a connection.
///
/// GLib ends the process if it cannot create the event descriptor of a main context. So each step that creates one
/// requires some free descriptors. Calls on an open connection need none.
package enum DescriptorReserve {
    /// More than a connection and a session take together, so that other threads may take some in between.
    package static let count = 16

    /// - Throws: `BusFailure` with `.outOfDescriptors` when there are fewer.
    package static func require() throws(BusFailure) {
        var taken: [CInt] = []
        defer { taken.forEach { close($0) } }
        while taken.count < count {
            let descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
            guard descriptor >= 0 else {
                throw BusFailure(.outOfDescriptors, "errno \(errno)", "no file descriptors are left")
            }
            taken.append(descriptor)
        }
    }
}

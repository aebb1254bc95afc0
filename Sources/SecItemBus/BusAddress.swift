// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// Where a bus listens.
package enum BusAddress {
    /// Whether every address in a list is that of a socket on this machine. The first one that answers is used.
    package static func isLocal(_ list: String) -> Bool {
        let addresses = list.utf8.split(separator: UInt8(ascii: ";"))
        return !addresses.isEmpty && addresses.allSatisfy { $0.starts(with: "unix:".utf8) }
    }

    /// The address of the system bus, if there is one.
    ///
    /// - Throws: `BusFailure` with `.unavailable` if there is none, or if the environment names an address that is not
    ///   a socket on this machine.
    package static func ofSystemBus(in environment: [String: String]) throws(BusFailure) -> String {
        if let address = environment["DBUS_SYSTEM_BUS_ADDRESS"], !address.isEmpty {
            guard isLocal(address) else {
                throw BusFailure(.unavailable, "address", "DBUS_SYSTEM_BUS_ADDRESS does not begin with \"unix:\"")
            }
            return address
        }
        let socket = "/run/dbus/system_bus_socket"
        guard FileManager.default.fileExists(atPath: socket) else {
            throw BusFailure(.unavailable, "address", "there is no system bus")
        }
        return "unix:path=" + socket
    }
}

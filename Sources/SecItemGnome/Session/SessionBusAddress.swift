// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemBus
import SecItemStore

/// The address of the session bus, if somebody has started one. Never starts one.
enum SessionBusAddress {
    /// The address of a socket on this machine.
    ///
    /// - Throws: `BusFailure` with `.unavailable` if there is none that may be used. An address can also name a program
    ///   to run or another machine. A program that has more rights than its user does not trust the user's address,
    ///   because it would send its secrets there.
    static func find(
        in environment: [String: String], isElevated: Bool = SecureExecution.isActive
    ) throws(BusFailure) -> String {
        if isElevated {
            throw BusFailure(
                .unavailable, BusFailure.elevation,
                "a program with more rights than its user does not use the session bus")
        }
        if let address = environment["DBUS_SESSION_BUS_ADDRESS"], !address.isEmpty {
            guard BusAddress.isLocal(address) else {
                throw refusal("DBUS_SESSION_BUS_ADDRESS does not begin with \"unix:\"")
            }
            return address
        }
        guard let folder = environment["XDG_RUNTIME_DIR"], !folder.isEmpty else {
            throw refusal("there is no session bus")
        }
        let socket = folder + "/bus"
        guard FileManager.default.fileExists(atPath: socket) else { throw refusal("there is no session bus") }
        return "unix:path=" + escaped(socket)
    }

    private static func refusal(_ message: String) -> BusFailure {
        BusFailure(.unavailable, "address", message)
    }

    /// Source: "Server Addresses" in the D-Bus specification.
    private static func escaped(_ path: String) -> String {
        path.utf8.map { byte in
            let isPlain =
                UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
                || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || "-_/.\\".utf8.contains(byte)
            return isPlain
                ? String(UnicodeScalar(byte)) : "%" + String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
        }.joined()
    }
}

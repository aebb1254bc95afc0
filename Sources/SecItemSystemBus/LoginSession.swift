// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemBus

/// The program's session according to logind.
struct LoginSession {
    static let service = "org.freedesktop.login1"
    static let interface = "org.freedesktop.login1.Session"
    static let manager = "org.freedesktop.login1.Manager"
    private static let root = "/org/freedesktop/login1"

    let path: String
    let name: String

    /// The session of the process, or else the one that its environment names, or else the one on its user's screen.
    /// Nil if there is none, as on a server, or no logind.
    static func find(on bus: BusConnection, environment: [String: String]) -> LoginSession? {
        let own = Variant.number(UInt32(bitPattern: getpid()))
        if let path = path(bus, "GetSessionByPID", .tuple(own)) { return named(path, bus) }
        if let name = environment["XDG_SESSION_ID"], !name.isEmpty,
            let path = path(bus, "GetSession", .tuple(.string(name)))
        {
            return LoginSession(path: path, name: name)
        }
        guard let user = path(bus, "GetUser", .tuple(.number(UInt32(geteuid())))),
            let display = property("Display", of: "org.freedesktop.login1.User", at: user, bus), display.type == "(so)",
            !display[0].string.isEmpty
        else { return nil }
        return LoginSession(path: display[1].string, name: display[0].string)
    }

    private static func path(_ bus: BusConnection, _ method: String, _ arguments: Variant) -> String? {
        let call = BusConnection.Call(service, root, manager, method, arguments)
        // A program other than logind may return it as text.
        guard let path = try? bus.call(call)[0].string, !path.isEmpty else { return nil }
        return path
    }

    private static func named(_ path: String, _ bus: BusConnection) -> LoginSession? {
        guard let name = property("Id", of: interface, at: path, bus)?.string, !name.isEmpty else { return nil }
        return LoginSession(path: path, name: name)
    }

    private static func property(
        _ name: String, of interface: String, at path: String, _ bus: BusConnection
    ) -> Variant? {
        let call = BusConnection.Call(
            service, path, "org.freedesktop.DBus.Properties", "Get", .tuple(.string(interface), .string(name)),
            answer: "(v)")
        return try? bus.call(call)[0].unboxed
    }
}

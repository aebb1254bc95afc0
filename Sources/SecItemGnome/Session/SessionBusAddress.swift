import Foundation

/// Where the session bus listens, when somebody has started one. Never starts one.
enum SessionBusAddress {
    /// The address, or nil when there is no bus.
    static func find(in environment: [String: String]) -> String? {
        if let address = environment["DBUS_SESSION_BUS_ADDRESS"], !address.isEmpty {
            // What "autolaunch:" means is: start one.
            return address.hasPrefix("autolaunch:") ? nil : address
        }
        guard let folder = environment["XDG_RUNTIME_DIR"], !folder.isEmpty else { return nil }
        let socket = folder + "/bus"
        guard FileManager.default.fileExists(atPath: socket) else { return nil }
        return "unix:path=" + escaped(socket)
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

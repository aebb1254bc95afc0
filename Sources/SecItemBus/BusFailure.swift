// SPDX-License-Identifier: Apache-2.0

import CLibsecret

/// The reason why a D-Bus call failed, in the cases that a store must distinguish.
package struct BusFailure: Error, CustomStringConvertible {
    package enum Kind: Sendable {
        /// The item or its collection is locked.
        case locked
        /// The service, its session or the connection is gone. A new one may answer.
        case lost
        /// The item, collection or prompt does not exist.
        case noObject
        /// Nobody answered in time. It is not known whether the call was carried out.
        case timedOut
        /// There is no service, or it may not be used.
        case unavailable
        /// libsecret is not installed.
        case missingLibrary
        /// The answer is not valid for the call.
        case malformed
        /// There are no file descriptors left for a connection.
        case outOfDescriptors
        /// No threads can be started for a connection.
        case outOfThreads
        /// Anything else.
        case other
    }

    package let kind: Kind
    /// The error's name on the bus, or its domain in GLib.
    package let name: String
    package let message: String

    package init(_ kind: Kind, _ name: String, _ message: String) {
        self.kind = kind
        self.name = name
        self.message = message
    }

    /// The name of the failure of a child process, which cannot use a bus of its parent.
    package static let child = "child"

    /// An invalid answer.
    package static func malformed(_ message: String) -> BusFailure {
        BusFailure(.malformed, "malformed", message)
    }

    /// Takes over an error of a GLib function, and frees it.
    package init(taking error: OpaquePointer?) {
        guard let error else {
            self.init(.other, "none", "a call failed without an error")
            return
        }
        defer { glib.g_error_free(error) }
        let message = secitem_error_message(error).map { String(cString: $0) } ?? ""
        if let remote = glib.g_dbus_error_get_remote_error(error) {
            defer { glib.g_free(remote) }
            let name = String(cString: remote)
            self.init(Self.kind(ofRemote: name, message), name, message)
            return
        }
        let domain = glib.g_quark_to_string(secitem_error_domain(error)).map { String(cString: $0) } ?? "unknown"
        self.init(Self.kind(of: error), "\(domain) \(secitem_error_code(error))", message)
    }

    private static let invalidArguments = "org.freedesktop.DBus.Error.InvalidArgs"

    /// Whether an item in a call does not exist, as KWallet reports it. The called object exists.
    package var namesMissingItem: Bool { kind == .noObject && name == Self.invalidArguments }

    private static func kind(ofRemote name: String, _ message: String) -> Kind {
        switch name {
        case Self.invalidArguments where message.contains("Can't find item at path "): .noObject
        case "org.freedesktop.Secret.Error.IsLocked": .locked
        case "org.freedesktop.Secret.Error.NoSession",
            "org.freedesktop.DBus.Error.ServiceUnknown",
            "org.freedesktop.DBus.Error.NameHasNoOwner",
            "org.freedesktop.DBus.Error.NoReply",
            "org.freedesktop.DBus.Error.Disconnected":
            .lost
        case "org.freedesktop.Secret.Error.NoSuchObject",
            "org.freedesktop.DBus.Error.UnknownMethod",
            "org.freedesktop.DBus.Error.UnknownObject",
            "org.freedesktop.DBus.Error.UnknownInterface":
            .noObject
        case "org.freedesktop.DBus.Error.Timeout", "org.freedesktop.DBus.Error.TimedOut": .timedOut
        case "org.freedesktop.DBus.Error.AccessDenied", "org.freedesktop.DBus.Error.AuthFailed",
            "org.freedesktop.DBus.Error.NoServer":
            .unavailable
        default: name.hasPrefix("org.freedesktop.DBus.Error.Spawn.") ? .unavailable : .other
        }
    }

    private static func kind(of error: OpaquePointer) -> Kind {
        let isInputOutput = secitem_error_domain(error) == glib.g_io_error_quark()
        let code = secitem_error_code(error)
        if isInputOutput && code == SECITEM_G_IO_ERROR_TIMED_OUT { return .timedOut }
        if isInputOutput && code == SECITEM_G_IO_ERROR_CLOSED { return .lost }
        return .other
    }

    package var description: String { "\(name): \(message)" }
}

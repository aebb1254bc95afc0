// SPDX-License-Identifier: Apache-2.0

import CLibsecret
import Dispatch
import Synchronization

/// The incoming messages of a connection: answers to calls, and signals.
///
/// GLib's own thread passes on each message as it reads it, in the order in which the bus sent them. So this needs no
/// main loop and no file descriptor.
package final class Inbox: Sendable {
    package struct Signal {
        package let sender: String
        package let path: String
        package let interface: String
        package let member: String
        package let arguments: Variant
    }

    /// The receiver of one answer.
    struct Seat {
        let flight: Flight
        let index: Int
    }

    private struct State {
        /// The receivers of the answers to pending calls, in the order of the calls, because usually the first call is
        /// answered first.
        var seats: [(serial: UInt32, seat: Seat)] = []
        var listeners: [(number: UInt64, hear: @Sendable (Signal) -> Void)] = []
        var nextListener: UInt64 = 0

        /// Removes and returns the receiver of an answer.
        mutating func takeSeat(_ serial: UInt32) -> Seat? {
            guard let index = seats.firstIndex(where: { $0.serial == serial }) else { return nil }
            return seats.remove(at: index).seat
        }
    }

    private let state = Mutex(State())

    /// Takes in what arrives on a connection, for as long as it lives.
    func open(on connection: OpaquePointer) {
        _ = glib.g_dbus_connection_add_filter(
            connection,
            { _, message, isIncoming, inbox in
                guard isIncoming != 0, let message, let inbox else { return message }
                return Unmanaged<Inbox>.fromOpaque(inbox).takeUnretainedValue().passOn(message)
            },
            Unmanaged.passRetained(self).toOpaque(),
            { inbox in
                if let inbox { Unmanaged<Inbox>.fromOpaque(inbox).release() }
            }
        )
    }

    // MARK: Answers

    /// Sends a call, and registers the receiver of its answer. The answer cannot be handled before that.
    func send(
        _ message: OpaquePointer, on connection: OpaquePointer, answerTo seat: Seat
    ) throws(BusFailure) -> UInt32 {
        var error: OpaquePointer?
        var serial: UInt32 = 0
        let isSent = state.withLock { state in
            let isSent = glib.g_dbus_connection_send_message(
                connection, message, SECITEM_G_DBUS_SEND_MESSAGE_FLAGS_NONE, &serial, &error)
            if isSent != 0 { state.seats.append((serial, seat)) }
            return isSent != 0
        }
        guard isSent else { throw BusFailure(taking: error) }
        return serial
    }

    /// Stops waiting for these answers.
    func abandon(_ serials: [UInt32]) {
        state.withLock { state in
            state.seats.removeAll { serials.contains($0.serial) }
        }
    }

    // MARK: Signals

    /// Calls `hear` with each signal, on GLib's thread, until ``ignore(_:)``.
    func listen(_ hear: @escaping @Sendable (Signal) -> Void) -> UInt64 {
        state.withLock { state in
            state.nextListener += 1
            state.listeners.append((state.nextListener, hear))
            return state.nextListener
        }
    }

    func ignore(_ listener: UInt64) {
        state.withLock { $0.listeners.removeAll { $0.number == listener } }
    }

    // MARK: Messages

    /// Handles a message. Returns it if it belongs to somebody else, such as libsecret.
    private func passOn(_ message: OpaquePointer) -> OpaquePointer? {
        switch glib.g_dbus_message_get_message_type(message) {
        case SECITEM_G_DBUS_MESSAGE_TYPE_METHOD_RETURN, SECITEM_G_DBUS_MESSAGE_TYPE_ERROR:
            let serial = glib.g_dbus_message_get_reply_serial(message)
            guard let seat = state.withLock({ $0.takeSeat(serial) }) else {
                return SessionAnswer.checked(message)
            }
            seat.flight.land(Self.answer(in: message), at: seat.index)
            glib.g_object_unref(UnsafeMutableRawPointer(message))
            return nil
        case SECITEM_G_DBUS_MESSAGE_TYPE_SIGNAL:
            hear(message)
            return message
        default:
            return message
        }
    }

    private static func answer(in message: OpaquePointer) -> Result<Variant, BusFailure> {
        var error: OpaquePointer?
        if glib.g_dbus_message_to_gerror(message, &error) != 0 { return .failure(BusFailure(taking: error)) }
        return .success(body(of: message))
    }

    private static func body(of message: OpaquePointer) -> Variant {
        guard let body = glib.g_dbus_message_get_body(message) else { return .tuple() }
        return Variant(taking: glib.g_variant_ref(body))
    }

    private func hear(_ message: OpaquePointer) {
        let listeners = state.withLock { $0.listeners }
        if listeners.isEmpty { return }
        let signal = Signal(
            sender: text(glib.g_dbus_message_get_sender(message)),
            path: text(glib.g_dbus_message_get_path(message)),
            interface: text(glib.g_dbus_message_get_interface(message)),
            member: text(glib.g_dbus_message_get_member(message)),
            arguments: Self.body(of: message)
        )
        for listener in listeners { listener.hear(signal) }
    }

    private func text(_ text: UnsafePointer<CChar>?) -> String {
        text.map { String(cString: $0) } ?? ""
    }
}

/// The answers to calls that were made together.
final class Flight: Sendable {
    private let results: Mutex<[Result<Variant, BusFailure>?]>
    /// Signalled once for each answer.
    let landing = DispatchSemaphore(value: 0)

    init(count: Int) {
        results = Mutex(Array(repeating: nil, count: count))
    }

    func land(_ result: Result<Variant, BusFailure>, at index: Int) {
        results.withLock { results in
            if results[index] == nil { results[index] = result }
        }
        landing.signal()
    }

    /// The answers so far, with `failure` in place of missing ones.
    func answers(orElse failure: BusFailure) -> [Result<Variant, BusFailure>] {
        results.withLock { $0.map { $0 ?? .failure(failure) } }
    }
}

/// The one answer that libsecret awaits itself, to `OpenSession`. libsecret does not check its content, so an invalid
/// answer is replaced with an error before libsecret sees it.
private enum SessionAnswer {
    static func checked(_ message: OpaquePointer) -> OpaquePointer? {
        guard glib.g_dbus_message_get_message_type(message) == SECITEM_G_DBUS_MESSAGE_TYPE_METHOD_RETURN else {
            return message
        }
        if let body = glib.g_dbus_message_get_body(message) {
            let answer = Variant(taking: glib.g_variant_ref(body))
            if answer.type == "(vo)" && ["ay", "s"].contains(answer[0].unboxed.type) { return message }
        }
        defer { glib.g_object_unref(UnsafeMutableRawPointer(message)) }
        let refusal = glib.g_dbus_message_new()
        glib.g_dbus_message_set_message_type(refusal, SECITEM_G_DBUS_MESSAGE_TYPE_ERROR)
        glib.g_dbus_message_set_error_name(refusal, "org.freedesktop.DBus.Error.InvalidSignature")
        glib.g_dbus_message_set_reply_serial(refusal, glib.g_dbus_message_get_reply_serial(message))
        return refusal
    }
}

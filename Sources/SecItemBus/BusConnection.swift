// SPDX-License-Identifier: Apache-2.0

import CLibsecret
import Dispatch
import Foundation
import SecItemStore

/// A separate connection to a bus. Other code of the program that uses GLib neither sees nor affects it.
///
/// Every call has a time limit. Any thread may call. No call needs a file descriptor or a main loop.
package final class BusConnection: @unchecked Sendable {
    // GDBusConnection may be used from any thread.
    package let pointer: OpaquePointer
    private let context: OpaquePointer
    private let inbox = Inbox()
    private let timeLimit: Double
    private let beforeCall: (@Sendable (String) -> Void)?

    /// One method call.
    package struct Call {
        package let destination: String
        package let path: String
        package let interface: String
        package let method: String
        package let arguments: Variant?
        /// The required type of the answer; nil if the answer is ignored.
        package var answer: String?

        package init(
            _ destination: String, _ path: String, _ interface: String, _ method: String, _ arguments: Variant? = nil,
            answer: String? = nil
        ) {
            self.destination = destination
            self.path = path
            self.interface = interface
            self.method = method
            self.arguments = arguments
            self.answer = answer
        }

        package static func bus(_ method: String, _ arguments: Variant? = nil, answer: String? = nil) -> Call {
            Call(
                "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", method, arguments,
                answer: answer)
        }
    }

    /// Connects to the bus at that address.
    ///
    /// - Parameters:
    ///   - address: An address of the type `unix:`.
    ///   - seconds: The time limit for connecting, and for every call.
    package init(
        address: String, timeLimit seconds: Double, beforeCall: (@Sendable (String) -> Void)? = nil
    ) throws(BusFailure) {
        self.beforeCall = beforeCall
        try GLibThread.requireOwnProcess()
        try GLib.requireDescriptors()
        try GLib.load()
        timeLimit = seconds
        let limit = try Cancellation(after: seconds)
        defer { limit.callOff() }
        var error: OpaquePointer?
        let flags =
            SECITEM_G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT
            | SECITEM_G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION
        // Notifications about the connection would wait for ever if nobody runs the default main loop, and keep the
        // connection alive. So they use a separate context.
        context = glib.g_main_context_new()
        glib.g_main_context_push_thread_default(context)
        let opened = glib.g_dbus_connection_new_for_address_sync(
            address, flags, nil, limit.cancellable, &error
        )
        if let opened {
            inbox.open(on: opened)
        }
        glib.g_main_context_pop_thread_default(context)
        guard let opened else {
            glib.g_main_context_unref(context)
            let failure = BusFailure(taking: error)
            throw BusFailure(.unavailable, failure.name, "no message bus: \(failure.message)")
        }
        pointer = opened
    }

    deinit {
        // In a child process these belong to the parent: GLib's thread does not exist here, and may have held a lock.
        guard GLibThread.isHere else { return }
        while glib.g_main_context_iteration(context, 0) != 0 {}
        // The last reference closes it. `g_dbus_connection_close` would leave its answer in the default main context.
        glib.g_object_unref(UnsafeMutableRawPointer(pointer))
        glib.g_main_context_unref(context)
    }

    /// Runs `body`, which calls GLib itself. What that leaves behind is released together with the connection.
    package func lendingContext<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        glib.g_main_context_push_thread_default(context)
        defer { glib.g_main_context_pop_thread_default(context) }
        return try body()
    }

    package var uniqueName: String {
        glib.g_dbus_connection_get_unique_name(pointer).map { String(cString: $0) } ?? ""
    }

    /// Whether the bus is gone.
    package var isClosed: Bool { glib.g_dbus_connection_is_closed(pointer) != 0 }

    // MARK: Calls

    /// Makes a call and waits for the answer, which is a tuple.
    ///
    /// - Parameter descriptor: A file descriptor of which the called program gets a copy.
    package func call(
        _ call: Call, timeLimit seconds: Double? = nil, passing descriptor: CInt? = nil
    ) throws(BusFailure) -> Variant {
        try perform([call], timeLimit: seconds ?? timeLimit, passing: descriptor)[0].get()
    }

    /// Makes all calls without waiting in between, and returns their answers in the same order.
    package func callAll(_ calls: [Call]) -> [Result<Variant, BusFailure>] {
        perform(calls, timeLimit: timeLimit, passing: nil)
    }

    /// A call whose answer is awaited in steps.
    package struct OpenCall {
        fileprivate let flight: Flight
        fileprivate let serial: UInt32
        fileprivate let call: Call
    }

    /// Makes a call, and does not wait for its answer.
    package func begin(_ call: Call) throws(BusFailure) -> OpenCall {
        let flight = Flight(count: 1)
        let message = try Message(call, passing: nil)
        let serial = try inbox.send(message.pointer, on: pointer, answerTo: Inbox.Seat(flight: flight, index: 0))
        withExtendedLifetime(message) {}
        return OpenCall(flight: flight, serial: serial, call: call)
    }

    /// Waits for the answer for a limited time.
    ///
    /// - Returns: The answer, or nil when there is none yet.
    package func answer(to open: OpenCall, within seconds: Double) throws(BusFailure) -> Variant? {
        if let failure = wait(for: open.flight.landing, atMost: seconds) {
            if failure.kind == .timedOut { return nil }
            throw failure
        }
        let none = BusFailure(.other, "none", "a call has no answer")
        return try checked(open.flight.answers(orElse: none), [open.call])[0].get()
    }

    /// Stops waiting for the answer.
    package func abandon(_ open: OpenCall) {
        inbox.abandon([open.serial])
    }

    /// Makes a call and ignores the answer.
    package func send(_ call: Call) {
        guard let message = try? Message(call, passing: nil) else { return }
        glib.g_dbus_message_set_flags(message.pointer, SECITEM_G_DBUS_MESSAGE_FLAGS_NO_REPLY_EXPECTED)
        withExtendedLifetime(message) {
            _ = glib.g_dbus_connection_send_message(
                pointer, message.pointer, SECITEM_G_DBUS_SEND_MESSAGE_FLAGS_NONE, nil, nil)
        }
    }

    /// The greatest number of calls at once, because waiting answers use memory on the bus.
    private static let window = 256

    private func perform(
        _ calls: [Call], timeLimit seconds: Double, passing descriptor: CInt?
    ) -> [Result<Variant, BusFailure>] {
        let flight = Flight(count: calls.count)
        var serials: [UInt32] = []
        var sent = 0
        var landed = 0
        while landed < calls.count {
            while sent < calls.count && sent - landed < Self.window {
                beforeCall?(calls[sent].method)
                do throws(BusFailure) {
                    let message = try Message(calls[sent], passing: descriptor)
                    let seat = Inbox.Seat(flight: flight, index: sent)
                    serials.append(try inbox.send(message.pointer, on: pointer, answerTo: seat))
                    withExtendedLifetime(message) {}
                } catch {
                    flight.land(.failure(error), at: sent)
                }
                sent += 1
            }
            if let failure = wait(for: flight.landing, atMost: seconds) {
                inbox.abandon(serials)
                return checked(flight.answers(orElse: failure), calls)
            }
            landed += 1
        }
        return checked(flight.answers(orElse: BusFailure(.other, "none", "a call has no answer")), calls)
    }

    private func checked(
        _ answers: [Result<Variant, BusFailure>], _ calls: [Call]
    ) -> [Result<Variant, BusFailure>] {
        var checked = answers
        for (index, call) in calls.enumerated() {
            guard case .success(let value) = answers[index], let type = call.answer, value.type != type else {
                continue
            }
            checked[index] = .failure(.malformed("\(call.method) answered \(value.type) instead of \(type)"))
        }
        return checked
    }

    /// Waits for the semaphore, until the time is over or the bus is gone.
    ///
    /// - Returns: The reason why it was not signalled, or nil if it was.
    private func wait(for semaphore: DispatchSemaphore, atMost seconds: Double) -> BusFailure? {
        let deadline = Deadline(in: seconds)
        while !deadline.waitAWhile(for: semaphore) {
            // An answer from before the end may have been recorded after the check.
            if isClosed && !deadline.waitAWhile(for: semaphore) {
                return BusFailure(.lost, "closed", "the bus has gone")
            } else if isClosed {
                return nil
            }
            if deadline.isOver { return BusFailure(.timedOut, "timeout", "no answer in \(seconds) seconds") }
        }
        return nil
    }

    // MARK: Signals

    /// Receives signals for as long as it is kept.
    package final class Listener: Sendable {
        private let inbox: Inbox
        private let number: UInt64

        fileprivate init(_ inbox: Inbox, _ hear: @escaping @Sendable (Inbox.Signal) -> Void) {
            self.inbox = inbox
            number = inbox.listen(hear)
        }

        deinit {
            inbox.ignore(number)
        }
    }

    /// Calls `hear` with each signal on GLib's thread. It must be short and make no call.
    package func listen(_ hear: @escaping @Sendable (Inbox.Signal) -> Void) -> Listener {
        Listener(inbox, hear)
    }

    /// Makes the bus send signals to this connection, from before the next call on.
    package func subscribe(to rules: String...) {
        for rule in rules { send(.bus("AddMatch", .tuple(.string("type='signal'," + rule)))) }
    }
}

/// A method call as it is sent.
private final class Message {
    let pointer: OpaquePointer

    /// - Throws: `BusFailure` with `.malformed` if the call cannot be a message.
    init(_ call: BusConnection.Call, passing descriptor: CInt?) throws(BusFailure) {
        guard glib.g_variant_is_object_path(call.path) != 0, glib.g_dbus_is_name(call.destination) != 0,
            let message = glib.g_dbus_message_new_method_call(
                call.destination, call.path, call.interface, call.method)
        else { throw .malformed("\(call.destination) and \(call.path) cannot be called") }
        pointer = message
        if let arguments = call.arguments {
            withExtendedLifetime(arguments) { glib.g_dbus_message_set_body(message, arguments.pointer) }
        }
        guard let descriptor else { return }
        let descriptors = glib.g_unix_fd_list_new()
        defer { glib.g_object_unref(UnsafeMutableRawPointer(descriptors)) }
        var error: OpaquePointer?
        guard glib.g_unix_fd_list_append(descriptors, descriptor, &error) >= 0 else {
            throw BusFailure(taking: error)
        }
        glib.g_dbus_message_set_unix_fd_list(message, descriptors)
    }

    deinit {
        glib.g_object_unref(UnsafeMutableRawPointer(pointer))
    }
}

/// The thread on which GLib reads from all connections. It does not exist in a child of the process, where waiting
/// for it would never end.
package enum GLibThread {
    private static let process = getpid()

    /// Whether this is the process that first made a connection, or none was made yet.
    package static var isHere: Bool { process == getpid() }

    package static func requireOwnProcess() throws(BusFailure) {
        if !isHere {
            throw BusFailure(
                .unavailable, BusFailure.child, "a message bus cannot be used in a child of the process that used one")
        }
    }
}

/// Cancels an operation when its time is over.
private final class Cancellation: @unchecked Sendable {
    // GCancellable may be cancelled from any thread.
    let cancellable = glib.g_cancellable_new()
    private let isOver = DispatchSemaphore(value: 0)

    /// A thread waits instead of a Dispatch timer, which ends the process if there is no file descriptor.
    ///
    /// - Throws: ``BusFailure/Kind/outOfThreads`` if no thread can be started. Nothing would end the operation then.
    init(after seconds: Double) throws(BusFailure) {
        let isStarted = DetachedThread.start { [self] in
            if isOver.wait(timeout: .now() + seconds) == .timedOut { glib.g_cancellable_cancel(cancellable) }
        }
        if !isStarted { throw BusFailure(.outOfThreads, "", "no threads can be started") }
    }

    /// Must be called: until then a thread waits.
    func callOff() {
        isOver.signal()
    }

    deinit {
        glib.g_object_unref(UnsafeMutableRawPointer(cancellable))
    }
}

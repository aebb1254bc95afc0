import CLibsecret
import Dispatch

/// A connection to the session bus of our own: the program's other users of GLib neither see it nor lose theirs with it.
///
/// Every call has a time limit. Any thread may call.
final class BusConnection: @unchecked Sendable {
    // GDBusConnection may be used from any thread.
    let pointer: OpaquePointer
    private let timeout: CInt

    /// One method call.
    struct Call {
        let destination: String
        let path: String
        let interface: String
        let method: String
        let arguments: Variant?

        init(_ destination: String, _ path: String, _ interface: String, _ method: String, _ arguments: Variant? = nil)
        {
            self.destination = destination
            self.path = path
            self.interface = interface
            self.method = method
            self.arguments = arguments
        }

        /// A call of the bus itself.
        static func bus(_ method: String, _ arguments: Variant? = nil) -> Call {
            Call("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", method, arguments)
        }
    }

    /// Connects to the bus at that address.
    ///
    /// - Parameters:
    ///   - address: As ``SessionBusAddress`` found it.
    ///   - seconds: The time limit of connecting, and of every call.
    init(address: String, timeLimit seconds: Double) throws(BusFailure) {
        timeout = CInt(seconds * 1000)
        let limit = TimeLimit(seconds: seconds)
        defer { limit.end() }
        var error: UnsafeMutablePointer<GError>?
        let flags =
            G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT.rawValue
            | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION.rawValue
        let opened = g_dbus_connection_new_for_address_sync(
            address, GDBusConnectionFlags(rawValue: flags), nil, limit.cancellable, &error
        )
        guard let opened else {
            let failure = BusFailure(taking: error)
            throw BusFailure(.unavailable, failure.name, "no session bus: \(failure.message)")
        }
        pointer = opened
    }

    deinit {
        g_dbus_connection_close(pointer, nil, nil, nil)
        g_object_unref(UnsafeMutableRawPointer(pointer))
    }

    /// Whether the bus has gone.
    var isClosed: Bool { g_dbus_connection_is_closed(pointer) != 0 }

    /// Calls, and waits for the answer: a tuple.
    func call(_ call: Call, timeLimit seconds: Double? = nil) throws(BusFailure) -> Variant {
        var error: UnsafeMutablePointer<GError>?
        let reply = withExtendedLifetime(call.arguments) {
            g_dbus_connection_call_sync(
                pointer, call.destination, call.path, call.interface, call.method, call.arguments?.pointer, nil,
                GDBusCallFlags(rawValue: 0), seconds.map { CInt($0 * 1000) } ?? timeout, nil, &error
            )
        }
        guard let reply else { throw BusFailure(taking: error) }
        return Variant(taking: reply)
    }

    /// Sends a call and takes no interest in the answer.
    func send(_ call: Call) {
        withExtendedLifetime(call.arguments) {
            g_dbus_connection_call(
                pointer, call.destination, call.path, call.interface, call.method, call.arguments?.pointer, nil,
                GDBusCallFlags(rawValue: 0), timeout, nil, nil, nil
            )
        }
    }

    /// Makes all the calls without waiting in between, and returns their answers in the same order.
    func callAll(_ calls: [Call]) -> [Result<Variant, BusFailure>] {
        if calls.count == 1 {
            return calls.map { call in Result { () throws(BusFailure) in try self.call(call) } }
        }
        let flight = Flight(count: calls.count)
        MainContext.withOwn { context in
            for (index, call) in calls.enumerated() {
                while flight.pending >= Flight.window { context.iterate() }
                start(call, in: flight, at: index)
            }
            while flight.pending > 0 { context.iterate() }
        }
        return flight.results.map { $0 ?? .failure(BusFailure(.other, "none", "a call has no answer")) }
    }

    private func start(_ call: Call, in flight: Flight, at index: Int) {
        flight.pending += 1
        let seat = Unmanaged.passRetained(Flight.Seat(flight: flight, index: index))
        withExtendedLifetime(call.arguments) {
            g_dbus_connection_call(
                pointer, call.destination, call.path, call.interface, call.method, call.arguments?.pointer, nil,
                GDBusCallFlags(rawValue: 0), timeout, nil,
                { source, result, seat in
                    guard let seat else { return }
                    Unmanaged<Flight.Seat>.fromOpaque(seat).takeRetainedValue().land(source, result)
                },
                seat.toOpaque()
            )
        }
    }
}

/// Calls under way together. Used by one thread.
private final class Flight {
    /// How many may be under way at once: the answers that wait are memory on the bus.
    static let window = 256

    var results: [Result<Variant, BusFailure>?]
    var pending = 0

    init(count: Int) {
        results = Array(repeating: nil, count: count)
    }

    /// The place in a flight that one answer goes to.
    final class Seat {
        private let flight: Flight
        private let index: Int

        init(flight: Flight, index: Int) {
            self.flight = flight
            self.index = index
        }

        func land(_ source: UnsafeMutablePointer<GObject>?, _ result: OpaquePointer?) {
            var error: UnsafeMutablePointer<GError>?
            let connection = source.map { OpaquePointer($0) }
            let reply = g_dbus_connection_call_finish(connection, result, &error)
            flight.results[index] = reply.map { .success(Variant(taking: $0)) } ?? .failure(BusFailure(taking: error))
            flight.pending -= 1
        }
    }
}

/// An event loop's context that belongs to the calling thread for a while.
struct MainContext {
    let pointer: OpaquePointer

    /// Lends a new context, in which what `body` starts will be answered.
    static func withOwn<Result>(_ body: (MainContext) throws -> Result) rethrows -> Result {
        let context = MainContext(pointer: g_main_context_new())
        g_main_context_push_thread_default(context.pointer)
        defer {
            g_main_context_pop_thread_default(context.pointer)
            g_main_context_unref(context.pointer)
        }
        return try body(context)
    }

    /// Waits for something to happen, and handles it.
    func iterate() {
        g_main_context_iteration(pointer, 1)
    }
}

/// Cancels what is under way when the time is up.
final class TimeLimit: @unchecked Sendable {
    // GCancellable may be cancelled from any thread.
    let cancellable: UnsafeMutablePointer<GCancellable>?
    private var timer: DispatchWorkItem?

    init(seconds: Double) {
        cancellable = g_cancellable_new()
        let timer = DispatchWorkItem { [self] in g_cancellable_cancel(cancellable) }
        self.timer = timer
        DispatchQueue.global().asyncAfter(deadline: .now() + seconds, execute: timer)
    }

    /// Must be called: until then the timer keeps this object.
    func end() {
        timer?.cancel()
        timer = nil
    }

    deinit {
        g_object_unref(cancellable)
    }
}

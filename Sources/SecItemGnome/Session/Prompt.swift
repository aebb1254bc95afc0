import CLibsecret
import Foundation

/// A question that a service asks by itself: started with `Prompt`, over with its signal `Completed`.
///
/// libsecret waits for that signal without end. Here a time limit, the dismissal and the death of the service end it.
struct Prompt {
    let session: ServiceSession
    let path: String

    /// What came out.
    enum Outcome {
        /// It was carried out; with the result that the kind of question has.
        case completed(Variant)
        case dismissed
        case timedOut
    }

    /// Has the question asked, and waits for the answer.
    func perform(timeLimit seconds: Double) throws(BusFailure) -> Outcome {
        let ear = Ear()
        let outcome = MainContext.withOwn { context -> Result<Outcome, BusFailure> in
            let bus = session.bus.pointer
            let subscriptions = [
                subscribe(ear, bus, session.provider.owner, "org.freedesktop.Secret.Prompt", "Completed", path, nil),
                subscribe(
                    ear, bus, "org.freedesktop.DBus", "org.freedesktop.DBus", "NameOwnerChanged",
                    "/org/freedesktop/DBus", session.provider.owner
                ),
            ]
            defer {
                for subscription in subscriptions { g_dbus_connection_signal_unsubscribe(bus, subscription) }
                // What is still under way to the ear arrives while there is an ear.
                while g_main_context_iteration(context.pointer, 0) != 0 {}
            }
            do throws(BusFailure) {
                _ = try session.call("Prompt", "Prompt", at: path, .tuple(.string("")))
            } catch {
                return .failure(error)
            }
            let alarm = Alarm(seconds: seconds, in: context)
            defer { alarm.end() }
            while ear.outcome == nil && !ear.hasLostService && !alarm.hasRung && !session.bus.isClosed {
                context.iterate()
            }
            if let outcome = ear.outcome { return .success(outcome) }
            if ear.hasLostService || session.bus.isClosed {
                return .failure(BusFailure(.lost, "NameOwnerChanged", "the service died during a prompt"))
            }
            // gnome-keyring (42.1 at least) dies when the prompt dismissed still waits for its prompter.
            if session.provider.kind != .gnomeKeyring { dismiss() }
            return .success(.timedOut)
        }
        return try outcome.get()
    }

    /// Tells the service that nobody will answer. Waits for nothing.
    func dismiss() {
        session.bus.send(BusConnection.Call(session.provider.owner, path, "org.freedesktop.Secret.Prompt", "Dismiss"))
    }

    private func subscribe(
        _ ear: Ear, _ bus: OpaquePointer, _ sender: String, _ interface: String, _ signal: String, _ path: String,
        _ argument: String?
    ) -> guint {
        g_dbus_connection_signal_subscribe(
            bus, sender, interface, signal, path, argument, GDBusSignalFlags(rawValue: 0),
            { _, _, _, _, signal, arguments, ear in
                guard let ear, let signal, let arguments else { return }
                let heard = Variant(taking: g_variant_ref(arguments))
                Unmanaged<Ear>.fromOpaque(ear).takeUnretainedValue().hear(String(cString: signal), heard)
            },
            Unmanaged.passRetained(ear).toOpaque(),
            { ear in
                if let ear { Unmanaged<Ear>.fromOpaque(ear).release() }
            }
        )
    }

    /// What has been heard so far. Used by the thread that waits.
    private final class Ear {
        var outcome: Outcome?
        var hasLostService = false

        func hear(_ signal: String, _ arguments: Variant) {
            if signal == "Completed" && arguments.count == 2 {
                outcome = arguments[0].boolean ? .dismissed : .completed(arguments[1].unboxed)
            } else if signal == "NameOwnerChanged" && arguments.count == 3 {
                hasLostService = arguments[2].string.isEmpty
            }
        }
    }
}

/// Rings once in an event loop. Used by one thread.
private final class Alarm {
    private(set) var hasRung = false
    private let source: UnsafeMutablePointer<GSource>?

    init(seconds: Double, in context: MainContext) {
        source = g_timeout_source_new(guint(max(1, seconds * 1000)))
        g_source_set_callback(
            source,
            { alarm in
                if let alarm { Unmanaged<Alarm>.fromOpaque(alarm).takeUnretainedValue().hasRung = true }
                return 0
            },
            Unmanaged.passUnretained(self).toOpaque(), nil
        )
        g_source_attach(source, context.pointer)
    }

    func end() {
        g_source_destroy(source)
    }

    deinit {
        g_source_unref(source)
    }
}

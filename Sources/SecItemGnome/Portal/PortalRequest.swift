import CLibsecret
import Foundation

/// A question to a portal: begun by a call that returns the question's path, over with the signal `Response` from there.
struct PortalRequest {
    let bus: BusConnection
    /// The portal's unique name.
    let owner: String
    let timeLimit: Double

    /// What came out.
    enum Outcome {
        case done([String: Variant])
        /// The person asked said no.
        case cancelled
        /// It ended in some other way.
        case failed
        case timedOut
    }

    private static let interface = "org.freedesktop.portal.Request"

    /// Asks, and waits for the answer.
    ///
    /// - Parameter begin: Makes the call and returns the path.
    func perform(_ begin: () throws(BusFailure) -> String) throws(BusFailure) -> Outcome {
        let ear = Ear()
        let outcome = MainContext.withOwn { context -> Result<Outcome, BusFailure> in
            // From before the call, and from any path: the answer may come before the path is known.
            let subscriptions = [
                subscribe(ear, owner, Self.interface, "Response", nil, nil),
                subscribe(
                    ear, "org.freedesktop.DBus", "org.freedesktop.DBus", "NameOwnerChanged", "/org/freedesktop/DBus",
                    owner
                ),
            ]
            defer {
                for subscription in subscriptions { g_dbus_connection_signal_unsubscribe(bus.pointer, subscription) }
                // What is still under way to the ear arrives while there is an ear.
                while g_main_context_iteration(context.pointer, 0) != 0 {}
            }
            do throws(BusFailure) {
                let path = try begin()
                context.iterate(atMost: timeLimit) { ear.answers[path] != nil || ear.hasLostPortal || bus.isClosed }
                if let answer = ear.answers[path] { return .success(answer) }
                if ear.hasLostPortal || bus.isClosed {
                    return .failure(BusFailure(.lost, "NameOwnerChanged", "the portal died during a question"))
                }
                _ = try? bus.call(.init(owner, path, Self.interface, "Close"), timeLimit: 1)
                return .success(.timedOut)
            } catch {
                return .failure(error)
            }
        }
        return try outcome.get()
    }

    private func subscribe(
        _ ear: Ear, _ sender: String, _ interface: String, _ signal: String, _ path: String?, _ argument: String?
    ) -> guint {
        g_dbus_connection_signal_subscribe(
            bus.pointer, sender, interface, signal, path, argument, GDBusSignalFlags(rawValue: 0),
            { _, _, path, _, signal, arguments, ear in
                guard let ear, let path, let signal, let arguments else { return }
                let heard = Variant(taking: g_variant_ref(arguments))
                Unmanaged<Ear>.fromOpaque(ear).takeUnretainedValue()
                    .hear(String(cString: signal), from: String(cString: path), heard)
            },
            Unmanaged.passRetained(ear).toOpaque(),
            { ear in
                if let ear { Unmanaged<Ear>.fromOpaque(ear).release() }
            }
        )
    }

    /// What has been heard so far. Used by the thread that waits.
    private final class Ear {
        var answers: [String: Outcome] = [:]
        var hasLostPortal = false

        func hear(_ signal: String, from path: String, _ arguments: Variant) {
            if signal == "Response" && arguments.type == "(ua{sv})" {
                answers[path] =
                    switch arguments[0].number {
                    case 0: .done(arguments[1].properties)
                    case 1: .cancelled
                    default: .failed
                    }
            } else if signal == "NameOwnerChanged" && arguments.count == 3 {
                hasLostPortal = arguments[2].string.isEmpty
            }
        }
    }
}

extension MainContext {
    /// Handles what happens until that is so, or the time is up.
    fileprivate func iterate(atMost seconds: Double, until isDone: () -> Bool) {
        let clock = ContinuousClock()
        let end = clock.now + .seconds(seconds)
        // Wakes the loop: a connection that closes does not.
        let tick = g_timeout_source_new(guint(max(10, min(200, seconds * 1000))))
        g_source_set_callback(tick, { _ in 1 }, nil, nil)
        g_source_attach(tick, pointer)
        defer {
            g_source_destroy(tick)
            g_source_unref(tick)
        }
        while !isDone() && clock.now < end { iterate() }
    }
}

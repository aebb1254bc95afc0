// SPDX-License-Identifier: Apache-2.0

#if Polkit || Desktop
    import Testing

    @testable import SecItemBus
    @testable import SecItemSystemBus

    private let isGLibThere = (try? GLib.load()) != nil

    /// Only logind locks the store, and only for this session.
    @Suite(.enabled(if: isGLibThere, "GLib is not installed"))
    struct SessionSignalsTests {
        private static let session = "/org/freedesktop/login1/session/c1"
        private static let manager = "org.freedesktop.login1.Manager"
        private static let login = "org.freedesktop.login1.Session"

        private func signal(
            _ sender: String = ":1.5", _ path: String = session, _ interface: String = login, _ member: String = "Lock",
            _ arguments: Variant = .tuple()
        ) -> Inbox.Signal {
            Inbox.Signal(sender: sender, path: path, interface: interface, member: member, arguments: arguments)
        }

        private func hint(_ isLocked: Bool, of interface: String = login, at path: String = session) -> Inbox.Signal {
            let changes = Variant.properties(["LockedHint": .boolean(isLocked)])
            return signal(
                ":1.5", path, "org.freedesktop.DBus.Properties", "PropertiesChanged",
                .tuple(.string(interface), changes, .texts([])))
        }

        private func sleep(_ isComing: Bool) -> Inbox.Signal {
            signal(":1.5", "/org/freedesktop/login1", Self.manager, "PrepareForSleep", .tuple(.boolean(isComing)))
        }

        @Test func locks() {
            let signals = SessionSignals(owner: ":1.5", session: Self.session)
            #expect(signals.tellLock(signal()))
            #expect(signals.tellLock(sleep(true)))
            #expect(signals.tellLock(hint(true)))
        }

        @Test func doesNotLock() {
            let signals = SessionSignals(owner: ":1.5", session: Self.session)
            let other = "/org/freedesktop/login1/session/c2"
            for signal in [
                signal(":1.6"), signal(":1.5", other), signal(":1.5", Self.session, Self.login, "Unlock"),
                signal(":1.5", Self.session, "org.example.Session"), sleep(false), hint(false), hint(true, at: other),
                hint(true, of: "org.example.Session"),
                signal(":1.5", "/org/freedesktop/login1", Self.manager, "PrepareForSleep", .tuple(.string("true"))),
                signal(":1.5", Self.session, "org.freedesktop.DBus.Properties", "PropertiesChanged"),
            ] {
                #expect(!signals.tellLock(signal), "\(signal)")
            }
            #expect(!SessionSignals(owner: ":1.5", session: nil).tellLock(signal()))
        }

        /// Who had the name before does not lock any more.
        @Test func logind_thatIsStartedAgain_isHeard() {
            let signals = SessionSignals(owner: ":1.5", session: Self.session)
            let change = Variant.tuple(.string("org.freedesktop.login1"), .string(":1.5"), .string(":1.9"))
            let bus = "org.freedesktop.DBus"
            #expect(!signals.tellLock(signal(":1.6", "/", bus, "NameOwnerChanged", change)))
            #expect(signals.tellLock(signal()))
            #expect(!signals.tellLock(signal(bus, "/", bus, "NameOwnerChanged", change)))
            #expect(!signals.tellLock(signal()))
            #expect(signals.tellLock(signal(":1.9")))
        }
    }
#endif

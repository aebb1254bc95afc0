// SPDX-License-Identifier: Apache-2.0

#if Polkit || Desktop
    import Foundation
    import Testing

    private let isMockThere = FileManager.default.fileExists(
        atPath: "/usr/lib/python3/dist-packages/dbusmock/templates/logind.py")

    /// The store is locked with the session that logind has. python-dbusmock stands for logind.
    @Suite(
        .enabled(if: PolkitWorld.canRun, Comment(rawValue: PolkitWorld.obstacle ?? "")),
        .enabled(if: isMockThere, "python3-dbusmock is not installed"), .timeLimit(.minutes(60)))
    struct SessionLockTests {
        private static let session = "-o /org/freedesktop/login1/session/c1"
        private static let manager = "-o /org/freedesktop/login1"
        private static let before = "watched before: false, stored: 0\nwatched: true, locked: false\n"

        private func signal(_ place: String, _ interface: String, _ name: String, _ types: String, _ values: String)
            -> String
        {
            "gdbus call --system -d org.freedesktop.login1 \(place) -m org.freedesktop.DBus.Mock.EmitSignal "
                + "\(interface) \(name) '\(types)' \"\(values)\""
        }

        private func output(_ signals: String...) throws -> String {
            let options = ["--logind", "--after", signals.joined(separator: "; ")]
            return try PolkitWorld().output(options, "lock")
        }

        @Test func store_isLocked_withTheSession() throws {
            let locked = Self.before + "locked\nwatched after: false\n"
            let hint =
                "gdbus call --system -d org.freedesktop.login1 \(Self.session) "
                + "-m org.freedesktop.DBus.Mock.UpdateProperties org.freedesktop.login1.Session \"{'LockedHint': <true>}\""
            #expect(try output(signal(Self.session, "org.freedesktop.login1.Session", "Lock", "", "[]")) == locked)
            #expect(try output(hint) == locked)
            let sleep = signal(Self.manager, "org.freedesktop.login1.Manager", "PrepareForSleep", "b", "[<true>]")
            #expect(try output(sleep) == locked)
        }

        /// Without logind it says so.
        @Test func withoutLogind_nothingIsWatched() throws {
            let output = try PolkitWorld().output([], "lock")
            #expect(output == "watched before: false, stored: 0\nwatched: false, locked: false\n")
        }
    }
#endif

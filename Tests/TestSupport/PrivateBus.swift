// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A session bus in a folder of its own, with the services that `Scripts/keyring/world` starts on it.
///
/// Unless it is the run's own, everything on it is stopped, by process id, and its folder removed when the value goes.
package final class PrivateBus: Sendable {
    package let folder: String
    private let isOwn: Bool

    /// What runs on a new bus.
    package enum State: String, Sendable {
        /// No Secret Service.
        case bus
        /// gnome-keyring with an unlocked collection, a locked one, none, and one without a password.
        case unlocked, locked, empty, passwordless
    }

    /// The bus that a script of `Scripts/keyring` made for the whole run, or nil outside one.
    package static let shared = Program.inheritedEnvironment["SECITEM_KEYRING_WORLD"].map {
        PrivateBus(entering: $0)
    }

    /// Why tests are skipped where there is none.
    package static let reason = "run it with Scripts/keyring/with-gnome-keyring: there is no private bus"

    /// The program that is the Secret Service of the run.
    package static let provider = Program.inheritedEnvironment["SECITEM_KEYRING_PROVIDER"] ?? "none"

    /// Whether tests may do to gnome-keyring what only it can do: be restarted, locked, killed.
    package static let isGnomeKeyring = shared != nil && provider == "gnome-keyring"

    /// The scripts that start and stop everything.
    package static let scripts = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Scripts/keyring").path

    /// A bus that somebody else has made and will stop.
    package init(entering folder: String) {
        self.folder = folder
        isOwn = false
    }

    /// A bus of the test's own.
    package init(_ state: State = .unlocked) throws {
        folder = FileManager.default.temporaryDirectory.path + "/secitem-bus-" + UUID().uuidString.prefix(8)
        isOwn = true
        try run("start", state.rawValue)
    }

    deinit {
        if isOwn { stop() }
    }

    /// Stops everything on it, for a bus whose value never goes.
    package func stop() {
        try? run("stop")
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Does something to it: a verb of `Scripts/keyring/world`.
    package func run(_ verb: String, _ arguments: String...) throws {
        try Program(Self.scripts + "/world", [verb, folder] + arguments, timeLimit: 300).output()
    }

    /// Runs something while the keyring is locked and nobody is there to unlock it.
    package func whileLocked<Result>(_ body: () throws -> Result) throws -> Result {
        try run("lock")
        defer { try? run("unlock") }
        return try body()
    }

    // MARK: Programs

    /// What tells a program that it lives on this bus, with a home of its own.
    package var variables: [String: String] {
        [
            "DBUS_SESSION_BUS_ADDRESS": "unix:path=\(folder)/bus", "XDG_RUNTIME_DIR": folder + "/run",
            "XDG_DATA_HOME": folder + "/data", "XDG_STATE_HOME": folder + "/state", "HOME": folder + "/home",
        ]
    }

    /// The environment of programs on this bus, who have no display.
    package var environment: [String: String] {
        var environment = Program.inheritedEnvironment.merging(variables) { $1 }
        environment["DISPLAY"] = nil
        environment["WAYLAND_DISPLAY"] = nil
        return environment
    }

    /// Runs a program on this bus to its end, and returns what it wrote. On KWallet it is run once more if it fails:
    /// KWallet's agreement on a key goes wrong once in some hundred times, and other programs do not try again.
    package func execute(_ command: [String], input: String = "") throws -> FinishedProgram {
        let program = Program(command[0], Array(command.dropFirst()), environment: environment)
        let result = try program.run(input: input)
        return result.status != 0 && Self.provider == "kwallet" ? try program.run(input: input) : result
    }

    /// What a program on this bus writes, or else its status.
    @discardableResult
    package func tool(_ command: String..., input: String = "") throws -> String {
        let result = try execute(command, input: input)
        return result.status == 0 ? result.output : "status \(result.status)"
    }

    // MARK: Services

    /// The process of the Secret Service.
    package var providerProcess: pid_t? {
        pid_t(read("provider.pid").trimmingCharacters(in: .whitespacesAndNewlines))
    }

    /// What the scripted prompter was asked.
    package var prompterLog: String { read("prompter.log") }

    private func read(_ name: String) -> String {
        (try? String(contentsOfFile: folder + "/" + name, encoding: .utf8)) ?? ""
    }
}

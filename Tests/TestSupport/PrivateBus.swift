// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A session bus in its own folder, with the services that `Scripts/keyring/world` starts on it.
///
/// When the value is released, everything on the bus is stopped by process id, and the folder is removed. The bus of
/// the whole run is an exception.
package final class PrivateBus: Sendable {
    package let folder: String
    private let isOwn: Bool

    /// The services on a new bus.
    package enum State: String, Sendable {
        /// No Secret Service.
        case bus
        /// gnome-keyring with an unlocked collection, with a locked one, without any, or with one that has no password.
        case unlocked, locked, empty, passwordless
    }

    /// The bus that a script of `Scripts/keyring` made for the whole run; nil outside such a script.
    package static let shared = Program.inheritedEnvironment["SECITEM_KEYRING_WORLD"].map {
        PrivateBus(entering: $0)
    }

    /// The reason why tests are skipped without such a bus.
    package static let reason = "run it with Scripts/keyring/with-gnome-keyring: there is no private bus"

    /// The program that serves as the Secret Service of the run.
    package static let provider = Program.inheritedEnvironment["SECITEM_KEYRING_PROVIDER"] ?? "none"

    /// Whether tests may restart, lock and kill the service, which is only possible with gnome-keyring.
    package static let isGnomeKeyring = shared != nil && provider == "gnome-keyring"

    /// The scripts that start and stop the services.
    package static let scripts = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Scripts/keyring").path

    /// A bus that somebody else has made and will stop.
    package init(entering folder: String) {
        self.folder = folder
        isOwn = false
    }

    /// A new bus for one test.
    package init(_ state: State = .unlocked) throws {
        folder = FileManager.default.temporaryDirectory.path + "/secitem-bus-" + UUID().uuidString.prefix(8)
        isOwn = true
        try run("start", state.rawValue)
    }

    deinit {
        if isOwn { stop() }
    }

    /// Stops everything on the bus, for a bus that is never released.
    package func stop() {
        try? run("stop")
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Runs a verb of `Scripts/keyring/world` on the bus.
    package func run(_ verb: String, _ arguments: String...) throws {
        try Program(Self.scripts + "/world", [verb, folder] + arguments, timeLimit: 300).output()
    }

    /// Runs the body while the keyring is locked and nobody can unlock it.
    package func whileLocked<Result>(_ body: () throws -> Result) throws -> Result {
        try run("lock")
        defer { try? run("unlock") }
        return try body()
    }

    // MARK: Programs

    /// The variables for a program on this bus, with a separate home folder.
    package var variables: [String: String] {
        [
            "DBUS_SESSION_BUS_ADDRESS": "unix:path=\(folder)/bus", "XDG_RUNTIME_DIR": folder + "/run",
            "XDG_DATA_HOME": folder + "/data", "XDG_STATE_HOME": folder + "/state", "HOME": folder + "/home",
        ]
    }

    /// The environment of programs on this bus, without a display.
    package var environment: [String: String] {
        var environment = Program.inheritedEnvironment.merging(variables) { $1 }
        environment["DISPLAY"] = nil
        environment["WAYLAND_DISPLAY"] = nil
        return environment
    }

    /// Runs a program on this bus to its end, and returns its output. On KWallet, a program that fails is run once
    /// more, because KWallet's key agreement fails about once in some hundred times, and other programs do not retry.
    package func execute(_ command: [String], input: String = "") throws -> FinishedProgram {
        let program = Program(command[0], Array(command.dropFirst()), environment: environment)
        let result = try program.run(input: input)
        return result.status != 0 && Self.provider == "kwallet" ? try program.run(input: input) : result
    }

    /// The output of a program on this bus. Throws an error if the program fails.
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

    /// The prompts that the scripted prompter received.
    package var prompterLog: String { read("prompter.log") }

    private func read(_ name: String) -> String {
        (try? String(contentsOfFile: folder + "/" + name, encoding: .utf8)) ?? ""
    }
}

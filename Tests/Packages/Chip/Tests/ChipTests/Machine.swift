// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A simulated machine: a TPM 2.0 in software (swtpm), and a folder for a keychain.
final class Machine: @unchecked Sendable {
    let folder: URL
    private var simulator = Process()

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("chip-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try startChip()
    }

    /// Starts the chip, with what it knew when it was stopped.
    func startChip() throws {
        let socket = folder.appendingPathComponent("tpm").path
        // Written once both sockets answer. The sockets' files are there before.
        let ready = folder.appendingPathComponent("tpm.pid").path
        for path in [socket, socket + ".ctrl", ready] { unlink(path) }
        simulator = Process()
        simulator.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        simulator.arguments = [
            "swtpm", "socket", "--tpm2", "--tpmstate", "dir=\(folder.path)", "--server", "type=unixio,path=\(socket)",
            "--ctrl", "type=unixio,path=\(socket).ctrl", "--flags", "not-need-init,startup-clear",
            "--pid", "file=\(ready)",
        ]
        simulator.standardInput = FileHandle.nullDevice
        // A reader of the tests' output waits until all programs that could write to it have ended.
        simulator.standardOutput = FileHandle.nullDevice
        simulator.standardError = FileHandle.nullDevice
        try simulator.run()
        let deadline = Date(timeIntervalSinceNow: 30)
        while !FileManager.default.fileExists(atPath: ready), Date() < deadline { usleep(10_000) }
    }

    /// Ends the chip. It does not answer until it is started again.
    ///
    /// A child of the tests may have SIGTERM blocked.
    func stopChip() {
        kill(simulator.processIdentifier, SIGKILL)
        simulator.waitUntilExit()
    }

    deinit {
        stop()
    }

    /// The variables that select this machine's chip and keychain.
    var environment: [String: String] {
        ["SECITEM_TPM": "swtpm:path=\(folder.path)/tpm", "SECITEM_DIRECTORY": folder.appendingPathComponent("k").path]
    }

    /// Runs the probe on this machine.
    ///
    /// - Parameter other: Variables that differ.
    func probe(_ arguments: String..., other: [String: String] = [:]) throws -> String {
        let probe = program("ChipProbe", arguments, environment.merging(other) { $1 })
        let output = Pipe()
        probe.standardOutput = output
        try probe.run()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        probe.waitUntilExit()
        return String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .newlines)
    }

    /// A program of this package, with those variables besides the tests' own.
    func program(_ name: String, _ arguments: [String], _ variables: [String: String]) -> Process {
        let program = Process()
        program.executableURL = Bundle.main.bundleURL.appendingPathComponent(name)
        program.arguments = arguments
        var all = ProcessInfo.processInfo.environment
        for (name, value) in variables { all[name] = value }
        // Silences the TPM stack's own messages about expected failures.
        all["TSS2_LOG"] = "all+NONE"
        program.environment = all
        return program
    }

    /// The machine of the tests' own process.
    static let own: Machine = {
        do {
            let machine = try Machine()
            for (name, value) in machine.environment { setenv(name, value, 1) }
            setenv("TSS2_LOG", "all+NONE", 1)
            atexit { Machine.own.stop() }
            return machine
        } catch {
            fatalError("no simulator: \(error)")
        }
    }()

    private func stop() {
        kill(simulator.processIdentifier, SIGKILL)
        try? FileManager.default.removeItem(at: folder)
    }
}

// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A simulated machine: a TPM 2.0 in software (swtpm), and a folder for a keychain.
final class Machine: @unchecked Sendable {
    let folder: URL
    private let simulator = Process()

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("chip-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let socket = folder.appendingPathComponent("tpm").path
        simulator.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        simulator.arguments = [
            "swtpm", "socket", "--tpm2", "--tpmstate", "dir=\(folder.path)", "--server", "type=unixio,path=\(socket)",
            "--ctrl", "type=unixio,path=\(socket).ctrl", "--flags", "not-need-init,startup-clear",
        ]
        simulator.standardInput = FileHandle.nullDevice
        // A reader of the tests' output waits until all programs that could write to it have ended.
        simulator.standardOutput = FileHandle.nullDevice
        simulator.standardError = FileHandle.nullDevice
        try simulator.run()
        let deadline = Date(timeIntervalSinceNow: 30)
        while !FileManager.default.fileExists(atPath: socket + ".ctrl"), Date() < deadline { usleep(10_000) }
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
        let probe = Process()
        probe.executableURL = Bundle.main.bundleURL.appendingPathComponent("ChipProbe")
        probe.arguments = arguments
        var all = ProcessInfo.processInfo.environment
        for (name, value) in environment.merging(other, uniquingKeysWith: { $1 }) { all[name] = value }
        // Silences the TPM stack's own messages about expected failures.
        all["TSS2_LOG"] = "all+NONE"
        probe.environment = all
        let output = Pipe()
        probe.standardOutput = output
        try probe.run()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        probe.waitUntilExit()
        return String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .newlines)
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

    /// A child of the tests may have SIGTERM blocked.
    private func stop() {
        kill(simulator.processIdentifier, SIGKILL)
        try? FileManager.default.removeItem(at: folder)
    }
}

// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A TPM 2.0 in software (swtpm), and a folder for a keychain: a machine.
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
        // Whoever reads what the tests say waits until nobody is left who might say more.
        simulator.standardOutput = FileHandle.nullDevice
        simulator.standardError = FileHandle.nullDevice
        try simulator.run()
        let deadline = Date(timeIntervalSinceNow: 30)
        while !FileManager.default.fileExists(atPath: socket + ".ctrl"), Date() < deadline { usleep(10_000) }
    }

    deinit {
        stop()
    }

    /// What leads to this machine's chip and keychain.
    var environment: [String: String] {
        ["SECITEM_TPM": "swtpm:path=\(folder.path)/tpm", "SECITEM_DIRECTORY": folder.appendingPathComponent("k").path]
    }

    /// Runs the probe on this machine.
    ///
    /// - Parameter other: What is otherwise in its environment.
    func probe(_ arguments: String..., other: [String: String] = [:]) throws -> String {
        let probe = Process()
        probe.executableURL = Bundle.main.bundleURL.appendingPathComponent("ChipProbe")
        probe.arguments = arguments
        var all = ProcessInfo.processInfo.environment
        for (name, value) in environment.merging(other, uniquingKeysWith: { $1 }) { all[name] = value }
        // The stack's own lines about what is meant to fail.
        all["TSS2_LOG"] = "all+NONE"
        probe.environment = all
        let output = Pipe()
        probe.standardOutput = output
        try probe.run()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        probe.waitUntilExit()
        return String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .newlines)
    }

    /// The machine that the tests' own process is on.
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

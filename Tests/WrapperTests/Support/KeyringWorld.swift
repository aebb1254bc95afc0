import Foundation

/// A session bus with a gnome-keyring of these tests' own, in a folder that is thrown away: `Scripts/keyring/world`.
final class KeyringWorld: Sendable {
    let folder: String

    /// Whether the run is one with keyrings: under `Scripts/keyring/with-gnome-keyring`.
    static let isWanted = ProcessInfo.processInfo.environment["SECITEM_KEYRING_PROVIDER"] == "gnome-keyring"

    /// The one world of the run, stopped at its end; nil when it cannot be started.
    static let shared: KeyringWorld? = {
        guard isWanted, let world = try? KeyringWorld() else { return nil }
        atexit { try? KeyringWorld.shared?.stop() }
        return world
    }()

    private init() throws {
        folder = FileManager.default.temporaryDirectory.path + "/secitem-wrappers-" + UUID().uuidString.prefix(8)
        try Self.script("start", folder, "unlocked")
    }

    private func stop() throws {
        try Self.script("stop", folder)
        try FileManager.default.removeItem(atPath: folder)
    }

    /// The environment of programs in this world.
    var environment: [String: String] {
        [
            "DBUS_SESSION_BUS_ADDRESS": "unix:path=\(folder)/bus",
            "XDG_RUNTIME_DIR": "\(folder)/run",
            "XDG_DATA_HOME": "\(folder)/data",
            "HOME": "\(folder)/home",
            "DISPLAY": "",
            "WAYLAND_DISPLAY": "",
        ]
    }

    /// Runs something while the keyring is locked and nobody is there to unlock it.
    func whileLocked<Result>(_ body: () throws -> Result) throws -> Result {
        try Self.script("lock", folder)
        defer { try? Self.script("unlock", folder) }
        return try body()
    }

    private struct Failure: Error {
        let status: Int32
    }

    private static func script(_ arguments: String...) throws {
        let process = Process()
        process.executableURL =
            URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../Scripts/keyring/world").standardized
        process.arguments = arguments
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        if process.terminationStatus != 0 { throw Failure(status: process.terminationStatus) }
    }
}

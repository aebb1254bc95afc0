import Foundation
import SecItemGnome
import Testing

/// A session bus and a provider of the Secret Service in a throw-away folder.
///
/// The scripts in `Scripts/keyring` start and stop everything; a test says what should happen to it.
final class World: Sendable {
    let folder: String
    private let isOwn: Bool

    /// The world that `Scripts/keyring/with-gnome-keyring` made for the whole run, or nil outside it.
    static let shared: World? = ProcessInfo.processInfo.environment["SECITEM_KEYRING_WORLD"].map { World(entering: $0) }

    /// Why tests are skipped where there is none.
    static let reason: Comment = "run it with Scripts/keyring/with-gnome-keyring: no world with a keyring is there"

    /// Which provider the run has.
    static let provider = ProcessInfo.processInfo.environment["SECITEM_KEYRING_PROVIDER"] ?? "none"

    /// Whether tests may do to gnome-keyring what only it can do: be restarted, locked, killed.
    static let isGnomeKeyring = shared != nil && provider == "gnome-keyring"

    init(entering folder: String) {
        self.folder = folder
        isOwn = false
    }

    /// A world of the test's own, with gnome-keyring in that state.
    init(_ state: String = "unlocked") throws {
        folder = FileManager.default.temporaryDirectory.path + "/secitem-world-" + UUID().uuidString.prefix(8)
        isOwn = true
        try run("start", state)
    }

    deinit {
        guard isOwn else { return }
        try? run("stop")
        try? FileManager.default.removeItem(atPath: folder)
    }

    static let scripts = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Scripts/keyring").path

    /// Does something to this world: a verb of `Scripts/keyring/world`.
    func run(_ verb: String, _ arguments: String...) throws {
        let result = try Self.execute([Self.scripts + "/world", verb, folder] + arguments)
        if result.status != 0 { throw Failure(description: "world \(verb): \(result.output)") }
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// The environment of programs in this world.
    var environment: [String: String] {
        var environment = ProcessInfo.processInfo.environment
        environment["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=\(folder)/bus"
        environment["XDG_RUNTIME_DIR"] = folder + "/run"
        environment["XDG_DATA_HOME"] = folder + "/data"
        environment["HOME"] = folder + "/home"
        environment["DISPLAY"] = nil
        environment["WAYLAND_DISPLAY"] = nil
        return environment
    }

    /// A store in this world.
    func store(canPrompt: Bool = false, promptTimeLimit: Double = 20, callTimeLimit: Double = 20) -> LibsecretStore {
        var configuration = LibsecretStore.Configuration(environment: environment)
        configuration.canPrompt = canPrompt
        configuration.promptTimeLimit = promptTimeLimit
        configuration.callTimeLimit = callTimeLimit
        return LibsecretStore(configuration: configuration)
    }

    /// Runs a program in this world, with that on its standard input, and returns what it wrote.
    @discardableResult
    func tool(_ command: String..., input: String = "") throws -> String {
        let result = try execute(["/usr/bin/env"] + command, input: input)
        return result.status == 0 ? result.output : "status \(result.status)"
    }

    /// Runs a program in this world to its end; on KWallet once more if it fails: its agreement on a key goes wrong once
    /// in some hundred times, and other programs do not try again.
    func execute(_ command: [String], input: String = "") throws -> (status: Int32, output: String) {
        let result = try Self.execute(command, environment: environment, input: input)
        guard result.status != 0, Self.provider == "kwallet" else { return result }
        return try Self.execute(command, environment: environment, input: input)
    }

    /// The process of the provider.
    var providerProcess: pid_t? {
        (try? String(contentsOfFile: folder + "/provider.pid", encoding: .utf8)).flatMap {
            pid_t($0.trimmingCharacters(in: .whitespacesAndNewlines))
        }
    }

    /// What the scripted prompter was asked.
    var prompterLog: String {
        (try? String(contentsOfFile: folder + "/prompter.log", encoding: .utf8)) ?? ""
    }

    /// Runs a program to its end.
    static func execute(
        _ command: [String], environment: [String: String]? = nil, input: String = ""
    ) throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: command[0])
        process.arguments = Array(command.dropFirst())
        if let environment { process.environment = environment }
        let folder = FileManager.default.temporaryDirectory
        let output = folder.appendingPathComponent("secitem-output-" + UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: output) }
        try Data().write(to: output)
        // A file and not a pipe: what is started in the background would hold a pipe open.
        let handle = try FileHandle(forWritingTo: output)
        let pipe = Pipe()
        process.standardInput = pipe
        process.standardOutput = handle
        process.standardError = handle
        try process.run()
        try pipe.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        try pipe.fileHandleForWriting.close()
        process.waitUntilExit()
        return (process.terminationStatus, try String(contentsOf: output, encoding: .utf8))
    }
}

#if Gnome
    import Foundation
    import SecItemGnome
    import SecItemSQLite
    import SecItemStore
    import Testing

    @testable import SecItemSelection
    @testable import SecItemShim

    /// A session bus in a throw-away folder, the stand-in for the portal on it, and a user's files.
    ///
    /// `Scripts/keyring` has what starts and stops the bus; it starts no program by itself.
    final class PortalWorld {
        let folder: String
        private var portal: Process?

        static let isPossible = ProcessInfo.processInfo.environment["SECITEM_KEYRING_WORLD"] != nil
        static let reason: Comment = "run it with Scripts/keyring/with-gnome-keyring: no private bus here"

        init() throws {
            folder = FileManager.default.temporaryDirectory.path + "/secitem-portal-" + UUID().uuidString.prefix(8)
            try Self.run([Self.scripts + "/world", "start", folder, "bus"])
        }

        deinit {
            stopPortal()
            try? Self.run([Self.scripts + "/world", "stop", folder])
            try? FileManager.default.removeItem(atPath: folder)
        }

        private static let scripts = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Scripts/keyring").path

        private static func run(_ command: [String], environment: [String: String]? = nil) throws {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = command
            if let environment { process.environment = environment }
            process.standardOutput = FileHandle.nullDevice
            try process.run()
            process.waitUntilExit()
            try #require(process.terminationStatus == 0, "\(command)")
        }

        // MARK: Portal

        /// Two applications' secrets: as long as real ones are.
        static let secret = String(repeating: "0123456789abcdef", count: 4)
        static let otherSecret = String(repeating: "fedcba9876543210", count: 4)

        /// Has the stand-in behave in that manner from now on.
        func startPortal(_ mode: String = "answer", secret: String = PortalWorld.secret) throws {
            stopPortal()
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
            process.arguments = [Self.scripts + "/secret-portal", mode, secret, folder]
            process.environment = ProcessInfo.processInfo.environment.merging(environment) { _, new in new }
            try Data().write(to: URL(fileURLWithPath: logPath))
            let log = try #require(FileHandle(forWritingAtPath: logPath))
            process.standardOutput = log
            try process.run()
            portal = process
            let name = mode == "forbidden" ? "org.freedesktop.secrets" : "org.freedesktop.portal.Desktop"
            try Self.run(["gdbus", "wait", "--session", "--timeout", "10", name], environment: process.environment)
        }

        func stopPortal() {
            guard let portal else { return }
            // Not SIGTERM: a child of a dispatch thread has it blocked.
            if portal.isRunning { kill(portal.processIdentifier, SIGKILL) }
            portal.waitUntilExit()
            self.portal = nil
        }

        private var logPath: String { folder + "/portal.log" }

        /// The calls that the stand-in got since it was started.
        var questions: [String] {
            let text = (try? String(contentsOfFile: logPath, encoding: .utf8)) ?? ""
            return text.split(separator: "\n").map(String.init)
        }

        // MARK: Program

        /// What a program in this world sees.
        var environment: [String: String] {
            [
                "DBUS_SESSION_BUS_ADDRESS": "unix:path=\(folder)/bus", "XDG_RUNTIME_DIR": folder + "/run",
                "XDG_DATA_HOME": folder + "/data", "XDG_STATE_HOME": folder + "/state", "HOME": folder + "/home",
                "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin",
            ]
        }

        /// A Flatpak in this world, which has little patience.
        var sandbox: Sandbox {
            var limits = SecretPortal.TimeLimits()
            limits.call = 2
            limits.answer = 1
            limits.transfer = 0.5
            return Sandbox(.flatpak, portal: SandboxPortal(environment: environment, limits: limits))
        }

        static let application = ClientApplication(identifier: "application")

        /// What a program that starts now chooses.
        func choose(
            _ choice: LinuxKeychain.Store = .automatic, in sandbox: Sandbox? = nil, isSandboxed: Bool = true,
            adding variables: [String: String] = [:]
        ) throws -> ChosenStore {
            let selection = StoreSelection(
                environment: environment.merging(variables) { _, new in new }, application: Self.application,
                sandbox: isSandboxed ? sandbox ?? self.sandbox : nil)
            return try selection.choose(choice)
        }

        /// The four calls of such a program.
        func calls() throws -> KeychainCalls {
            KeychainCalls(store: try choose().store, application: Self.application)
        }

        /// The status of opening the store, in whatever way it cannot be opened.
        func statusOfChoosing(isSandboxed: Bool = true, adding variables: [String: String] = [:]) -> OSStatus {
            do {
                _ = try choose(isSandboxed: isSandboxed, adding: variables)
                return errSecSuccess
            } catch {
                return (error as? KeychainError)?.status ?? errSecInternalComponent
            }
        }

        private var storeFolder: String { folder + "/data/secitem" }

        /// Whether a store was made, finished or not.
        var hasStore: Bool {
            ((try? FileManager.default.contentsOfDirectory(atPath: storeFolder)) ?? []).contains {
                $0.hasPrefix("items.db")
            }
        }

        /// What the store's files hold. Of the database the content: SQLite may move it from its log at any time.
        func files() throws -> [Data] {
            let program = "import sqlite3, sys; print(*sqlite3.connect(sys.argv[1]).iterdump())"
            let process = Process()
            let output = Pipe()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
            process.arguments = ["-c", program, storeFolder + "/items.db"]
            process.standardOutput = output
            try process.run()
            let content = output.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            try #require(process.terminationStatus == 0)
            return [content, try Data(contentsOf: URL(fileURLWithPath: storeFolder + "/device.key"))]
        }
    }

    extension KeychainCalls {
        func add(_ account: String, _ more: [CFString: Any] = [:]) -> OSStatus {
            let item: [CFString: Any] = [
                kSecClass: kSecClassGenericPassword, kSecAttrService: "service", kSecAttrAccount: account,
                kSecValueData: Data("secret of \(account)".utf8),
            ]
            return add(item.merging(more) { _, new in new } as CFDictionary, nil)
        }

        func secret(of account: String) -> String? {
            var result: CFTypeRef?
            let query: [CFString: Any] = [
                kSecClass: kSecClassGenericPassword, kSecAttrService: "service", kSecAttrAccount: account,
                kSecReturnData: true,
            ]
            guard copyMatching(query as CFDictionary, &result) == errSecSuccess else { return nil }
            return (result as? Data).map { String(decoding: $0, as: UTF8.self) }
        }
    }
#endif

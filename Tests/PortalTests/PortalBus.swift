// SPDX-License-Identifier: Apache-2.0

#if Gnome || Desktop
    import Foundation
    import SecItemGnome
    import SecItemSQLite
    import SecItemStore
    import TestSupport

    @testable import SecItemSelection
    @testable import SecItemShim

    /// A private bus with the portal's stand-in, and a user's files.
    final class PortalBus {
        private let bus: PrivateBus
        private var portal: RunningProgram?

        var folder: String { bus.folder }

        init() throws {
            bus = try PrivateBus(.bus)
        }

        // MARK: Portal

        /// The secret of an application, as long as a real one.
        static let secret = String(repeating: "0123456789abcdef", count: 4)
        static let otherSecret = String(repeating: "fedcba9876543210", count: 4)

        /// Starts the stand-in with this behaviour.
        func startPortal(_ mode: String = "answer", secret: String = PortalBus.secret) throws {
            stopPortal()
            let arguments = [PrivateBus.scripts + "/secret-portal", mode, secret, folder]
            portal = try Program("/usr/bin/python3", arguments, environment: bus.environment).start()
            let name = mode == "forbidden" ? "org.freedesktop.secrets" : "org.freedesktop.portal.Desktop"
            let wait = ["wait", "--session", "--timeout", "120", name]
            try Program("gdbus", wait, environment: bus.environment).output()
        }

        func stopPortal() {
            portal?.kill()
        }

        /// The calls that the stand-in has received since its start.
        var questions: [String] {
            (portal?.outputSoFar ?? "").split(separator: "\n").map(String.init)
        }

        // MARK: Program

        /// The environment of a program on this bus.
        var environment: [String: String] {
            bus.variables.merging(["PATH": Program.inheritedEnvironment["PATH"] ?? "/usr/bin:/bin"]) { $1 }
        }

        /// A Flatpak sandbox on this bus, with a short time limit.
        var sandbox: Sandbox {
            var limits = SecretPortal.TimeLimits()
            limits.call = 10
            limits.answer = 5
            limits.transfer = 3
            return Sandbox(.flatpak, portal: SandboxPortal(environment: environment, limits: limits))
        }

        static let application = ClientApplication(identifier: "application")

        /// The store that a new program chooses.
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

        /// The status of opening the store, at whichever step it fails.
        func statusOfChoosing(isSandboxed: Bool = true, adding variables: [String: String] = [:]) -> OSStatus {
            do {
                _ = try choose(isSandboxed: isSandboxed, adding: variables)
                return errSecSuccess
            } catch {
                return (error as? KeychainError)?.status ?? errSecInternalComponent
            }
        }

        private var storeFolder: String { folder + "/data/secitem" }

        /// Whether a store was made, complete or not.
        var hasStore: Bool {
            ((try? FileManager.default.contentsOfDirectory(atPath: storeFolder)) ?? []).contains {
                $0.hasPrefix("items.db")
            }
        }

        /// The contents of the store's files. For the database, these are its rows, because SQLite may move them from
        /// its log at any time.
        func files() throws -> [Data] {
            let program = "import sqlite3, sys; print(*sqlite3.connect(sys.argv[1]).iterdump())"
            let content = try Program("/usr/bin/python3", ["-c", program, storeFolder + "/items.db"]).output()
            return [Data(content.utf8), try Data(contentsOf: URL(fileURLWithPath: storeFolder + "/device.key"))]
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

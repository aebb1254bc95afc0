import Foundation
import Security
import Testing

/// A store that the wrappers are tested on. To add one, add it to ``all``.
struct TestStore: Sendable, CustomTestStringConvertible {
    let name: String
    /// Makes a new, empty store.
    let make: @Sendable (_ folder: URL) -> LinuxKeychain.Store
    /// What another process needs in its environment to use the same store; nil when it cannot.
    let environment: (@Sendable (_ folder: URL) -> [String: String])?

    var testDescription: String { name }

    static let all = [memory, embedded]
    static let shared = all.filter { $0.environment != nil }

    static let memory = TestStore(name: "in memory", make: { _ in .inMemory }, environment: nil)

    static let embedded = TestStore(
        name: "embedded",
        make: { .embedded(directory: $0.appendingPathComponent("store")) },
        environment: { folder in
            [
                "SECITEM_STORE": "embedded",
                "SECITEM_DIRECTORY": folder.appendingPathComponent("store").path,
                "SECITEM_APPLICATION_IDENTIFIER": application,
            ]
        }
    )
}

/// A store in use: the folder it may live in, and what another process needs to use it.
struct OpenStore {
    let folder: URL
    let environment: [String: String]
}

extension TestStore {
    static let application = "com.example.wrapper-tests"

    /// Makes the store the one that the keychain calls use, and runs a test on it.
    func run(_ test: (OpenStore) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("wrappers-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        LinuxKeychain.applicationIdentifier = Self.application
        LinuxKeychain.use(make(folder))
        defer { LinuxKeychain.use(.inMemory) }
        try test(OpenStore(folder: folder, environment: environment?(folder) ?? [:]))
    }

    /// As ``run(_:)``, for a test that awaits.
    func runAsync(_ test: (OpenStore) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("wrappers-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        LinuxKeychain.applicationIdentifier = Self.application
        LinuxKeychain.use(make(folder))
        defer { LinuxKeychain.use(.inMemory) }
        try await test(OpenStore(folder: folder, environment: environment?(folder) ?? [:]))
    }
}

// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

#if Gnome || Desktop
    import SecItemGnome
#endif

/// A store for the wrappers' tests. To add a store, add it to ``all``.
struct TestStore: Sendable, CustomTestStringConvertible {
    let name: String
    /// Makes the store, which may have items already.
    let make: @Sendable (_ folder: URL) -> LinuxKeychain.Store
    /// The environment with which another process uses the same store; nil if this is impossible.
    let environment: (@Sendable (_ folder: URL) -> [String: String])?
    /// Whether the process can lock it, and items that are always accessible then stay readable.
    let isLockable: Bool

    var testDescription: String { name }

    /// Where there is a database, nothing else: the other stores have a run of their own.
    static let all = postgreSQL.isEmpty ? [memory, embedded] + secretService : postgreSQL
    static let shared = all.filter { $0.environment != nil }
    static let lockable = all.filter(\.isLockable)

    static let memory = TestStore(name: "in memory", make: { _ in .inMemory }, environment: nil, isLockable: true)

    static let embedded = TestStore(
        name: "embedded",
        make: { .embedded(directory: $0.appendingPathComponent("store")) },
        environment: { folder in
            [
                "SECITEM_STORE": "embedded",
                "SECITEM_DIRECTORY": folder.appendingPathComponent("store").path,
                "SECITEM_APPLICATION_IDENTIFIER": application,
            ]
        },
        isLockable: true
    )

    /// A gnome-keyring, if the run has one.
    static let secretService: [TestStore] = {
        #if Gnome || Desktop
            guard let bus = Keyring.shared else { return [] }
            var configuration = LibsecretStore.Configuration(environment: bus.environment)
            configuration.canPrompt = false
            let store = LibsecretStore(configuration: configuration)
            let own = ["SECITEM_STORE": "secret-service", "SECITEM_APPLICATION_IDENTIFIER": application]
            return [
                TestStore(
                    name: "Secret Service",
                    make: { _ in .custom(store) },
                    environment: { _ in bus.variables.merging(own) { _, new in new } },
                    isLockable: false
                )
            ]
        #else
            return []
        #endif
    }()
}

extension TestStore {
    /// A keychain of its own in the database of `Scripts/postgresql/with-postgresql`, if the run has one. All have the key
    /// file in the private home folder.
    static let postgreSQL: [TestStore] = {
        #if PostgreSQL
            let variables = ProcessInfo.processInfo.environment
            guard let connection = variables["SECITEM_TEST_POSTGRESQL_OWNER"] else { return [] }
            return [
                TestStore(
                    name: "PostgreSQL",
                    make: { .postgreSQL(connection, keychain: $0.lastPathComponent, passphrase: .none) },
                    environment: { folder in
                        [
                            "SECITEM_STORE": "postgresql", "SECITEM_POSTGRESQL": connection,
                            "SECITEM_POSTGRESQL_KEYCHAIN": folder.lastPathComponent,
                            "SECITEM_APPLICATION_IDENTIFIER": application,
                        ]
                    },
                    isLockable: true
                )
            ]
        #else
            return []
        #endif
    }()
}

/// A store in use: its folder, and the environment for another process.
struct OpenStore {
    let folder: URL
    let environment: [String: String]
}

extension TestStore {
    static let application = "com.example.wrapper-tests"
    static let anotherApplication = "com.example.somebody-else"
    static let sharedGroup = "com.example.shared"

    /// Makes this store the one that the keychain calls use, and runs a test on it.
    func run(_ test: (OpenStore) throws -> Void) throws {
        let folder = try open()
        defer { close(folder) }
        try test(OpenStore(folder: folder, environment: environment?(folder) ?? [:]))
    }

    /// The same as ``run(_:)`` for an asynchronous test.
    func runAsync(_ test: (OpenStore) async throws -> Void) async throws {
        let folder = try open()
        defer { close(folder) }
        try await test(OpenStore(folder: folder, environment: environment?(folder) ?? [:]))
    }

    private func open() throws -> URL {
        try PrivateHome.use()
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("wrappers-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        LinuxKeychain.applicationIdentifier = Self.application
        LinuxKeychain.use(make(folder))
        return folder
    }

    /// A keyring outlives the test, so the test's items are deleted first.
    private func close(_ folder: URL) {
        for group in [Self.application, Self.anotherApplication, Self.sharedGroup] {
            SecItemDelete([kSecClass: kSecClassGenericPassword, kSecAttrAccessGroup: group] as CFDictionary)
        }
        LinuxKeychain.use(.inMemory)
        try? FileManager.default.removeItem(at: folder)
    }
}

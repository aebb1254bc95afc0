// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemConformance
import SecItemSQLite
import SecItemSealing
import SecItemStore
import SecItemSynchronizing

/// A kind of store on which the suite runs. Each store of the package has one line here, and needs nothing else.
struct StoreUnderTest: Sendable, CustomStringConvertible {
    /// The name of the store in failures.
    let name: String
    /// The optional features of the store that some cases need.
    let offers: ConformanceCase.Needs
    /// Lends a new, empty store.
    let withStore: @Sendable ((any KeychainStore) throws -> Void) throws -> Void

    var description: String { name }

    /// The stores that `SECITEM_TEST_STORES` names, separated by commas, or all stores without it.
    static let all: [StoreUnderTest] = {
        guard let names = ProcessInfo.processInfo.environment["SECITEM_TEST_STORES"] else { return known }
        let wanted = Set(names.split(separator: ",").map(String.init))
        precondition(wanted.isSubset(of: known.map(\.name)), "SECITEM_TEST_STORES names a store that there is not")
        return known.filter { wanted.contains($0.name) }
    }()

    private static let known: [StoreUnderTest] = [
        StoreUnderTest(
            name: "in-memory",
            offers: [.lock, .noPassphrase, .anyBytes, .faults, .manySecrets, .isolation, .speed]
        ) { body in
            try body(InMemoryStore())
        },
        StoreUnderTest(
            name: "in-memory with passphrase",
            offers: [.lock, .passphrase, .anyBytes, .faults, .manySecrets, .isolation, .speed]
        ) { body in
            try body(InMemoryStore(passphrase: Secret(Data("passphrase".utf8))))
        },
        StoreUnderTest(
            name: "SQLite with key file", offers: [.lock, .noPassphrase, .anyBytes, .manySecrets, .isolation, .speed]
        ) { body in
            try withSQLiteStore(KeyFileProtector(), body)
        },
        StoreUnderTest(
            name: "SQLite with passphrase", offers: [.lock, .passphrase, .anyBytes, .manySecrets, .isolation, .speed]
        ) { body in
            let source = PassphraseSource.closure { Secret(Data("passphrase".utf8)) }
            try withSQLiteStore(PassphraseProtector(sources: [source], cost: .lowest), body)
        },
        StoreUnderTest(
            name: "two stores in memory",
            offers: [.lock, .noPassphrase, .anyBytes, .manySecrets, .isolation, .speed]
        ) { body in
            try body(SynchronizingStore(local: InMemoryStore(), shared: InMemoryStore()))
        },
        StoreUnderTest(
            name: "SQLite with passphrase and a second store",
            offers: [.lock, .passphrase, .anyBytes, .manySecrets, .isolation, .speed]
        ) { body in
            let source = PassphraseSource.closure { Secret(Data("passphrase".utf8)) }
            try withSQLiteStore(PassphraseProtector(sources: [source], cost: .lowest)) {
                try body(
                    SynchronizingStore(local: $0, shared: InMemoryStore(passphrase: Secret(Data("passphrase".utf8)))))
            }
        },
    ]
}

/// Lends a store in a folder that is removed afterwards. The folder is in memory if possible: these tests do not check
/// that a disk keeps data, and hundreds of stores would wait for it.
private func withSQLiteStore(
    _ protector: any RootKeyProtector, _ body: (any KeychainStore) throws -> Void
) throws {
    let inMemory = URL(fileURLWithPath: "/dev/shm")
    let isWritable = FileManager.default.isWritableFile(atPath: inMemory.path)
    let parent = isWritable ? inMemory : FileManager.default.temporaryDirectory
    let folder = parent.appendingPathComponent("secitem-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    defer { try? FileManager.default.removeItem(at: folder) }
    let location = StoreLocation(folder: folder.appendingPathComponent("store").path)
    try body(SQLiteStore(location: location, protector: protector, cache: .none))
}

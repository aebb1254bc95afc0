// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemConformance
import SecItemStore
import TestSupport
import Testing

@testable import SecItemSQLite
@testable import SecItemSealing

/// If any bit of the files is changed, or others get access to them, opening and look-ups never end the process and
/// never return another item than was stored. If they return none, they say why.
@Suite struct DamageLawTests {
    private let folder: TemporaryFolder
    private let log = CollectedLog()
    private static let secrets = ["a": Data("secret of a".utf8), "b": Data(repeating: 7, count: 5_000), "c": Data()]

    init() throws {
        folder = try TemporaryFolder()
    }

    private var location: StoreLocation { folder.location }

    /// - Parameter size: The size in bytes of an extra item, which makes the file larger.
    private func makeStore(_ size: Int = 0) throws {
        let store = try openStore(location)
        for (account, secret) in Self.secrets {
            try store.insert(
                .password(account: account, accessible: account == "b" ? .always : .whenUnlocked, secret: secret))
        }
        if size > 0 { try store.insert(.password(account: "large", secret: Data(count: size))) }
        try store.connection.close()
        for suffix in ["-wal", "-shm"] { unlink(location.databasePath + suffix) }
    }

    private func content(_ path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    /// Overwrites an existing file, and keeps its mode.
    private func overwrite(_ path: String, _ bytes: [UInt8]) throws {
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try file.truncate(atOffset: 0)
        try file.write(contentsOf: bytes)
        try file.close()
    }

    /// Every way to an item returns it unchanged, or fails with a reason.
    private func expectRightOrRefused(_ where: String) {
        func explain(_ body: () throws -> Void) {
            do {
                try body()
            } catch let error as StoreError {
                #expect(
                    [.corrupt, .unavailable].contains(error.code) && !error.message.isEmpty, "\(`where`): \(error)")
            } catch {
                Issue.record("\(`where`): \(error)")
            }
        }
        explain {
            let store = try openStore(location, logger: log.logger)
            for account in Self.secrets.keys {
                for filter in [
                    RecordFilter.password(service: "service", account: account),
                    .password(account: account, groups: nil),
                ] {
                    explain { try expectRight(store.find(filter), only: account, `where`) }
                }
            }
            explain { try expectRight(store.find(.password(groups: nil)), only: nil, `where`) }
        }
    }

    private func expectRight(_ found: [ItemRecord], only account: String?, _ where: String) throws {
        for record in found where record.accountName != "large" {
            let name = try #require(record.accountName, "\(`where`)")
            #expect(account == nil || name == account, "\(`where`): \(name)")
            #expect(record.secretData == Self.secrets[name], "\(`where`): \(name)")
        }
    }

    // MARK: Flipped bits

    @Test func deviceKey_anyBitFlipped_isRefused_andSaidWhy() throws {
        try makeStore()
        let header = try openStore(location).connection.read(StoreHeader.read)
        let whole = try content(location.keyFilePath)
        var random = SeededGenerator()
        for offset in whole.indices {
            for bit in 0..<8 {
                var damaged = whole
                damaged[offset] ^= 1 << UInt8(bit)
                #expect(throws: StoreError.self, "\(offset).\(bit)") {
                    try header.check(DeviceKey(file: Secret(Data(damaged)), path: "device.key"))
                }
            }
            var damaged = whole
            damaged[offset] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            try overwrite(location.keyFilePath, damaged)
            expect(.corrupt) { _ = try openStore(location, logger: log.logger) }
        }
        #expect(log.text.contains("device.key"))
        try overwrite(location.keyFilePath, whole)
        #expect(try openStore(location).find(.password()).count == Self.secrets.count)
    }

    @Test(arguments: [0, 1_300_000]) func database_anyBitFlipped_givesNothingElse(_ size: Int) throws {
        try makeStore(size)
        let whole = try content(location.databasePath)
        var random = SeededGenerator()
        // Every byte of small structures is tried. Elsewhere, a sample is.
        let offsets =
            Array(0..<100) + (0..<200).map { _ in Int.random(in: 100..<min(whole.count, 90_000), using: &random) }
        for offset in offsets {
            for suffix in ["-wal", "-shm"] { unlink(location.databasePath + suffix) }
            var damaged = whole
            damaged[offset] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            try overwrite(location.databasePath, damaged)
            expectRightOrRefused("byte \(offset)")
        }
    }

    // MARK: Modes

    /// Each permission bit for others by itself, and some combinations, on each file and the folder.
    @Test(arguments: ["", "/items.db", "/device.key", "/items.db-wal", "/items.db-shm"])
    func anyRightOfOthers_isRefused_andSaidWhy(_ name: String) throws {
        // The store stays open, so that SQLite's own files exist too.
        let store = try openStore(location)
        try store.insert(.password())
        let path = location.folder + name
        let mode: mode_t = name.isEmpty ? 0o700 : 0o600
        var random = SeededGenerator()
        let rights = (0..<6).map { 1 << mode_t($0) } + (0..<6).map { _ in mode_t.random(in: 1...0o77, using: &random) }
        for right in rights {
            chmod(path, mode | right)
            do {
                _ = try openStore(location, logger: log.logger)
                Issue.record("\(name) of mode \(String(mode | right, radix: 8)) was opened")
            } catch {
                let error = try #require(error as? StoreError)
                #expect(error.code == .unavailable)
                #expect(error.message.contains(path) && error.message.contains(String(mode | right, radix: 8)))
            }
        }
        chmod(path, mode)
        #expect(try openStore(location).find(.password()).count == 1)
        withExtendedLifetime(store) {}
    }
}

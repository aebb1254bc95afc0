// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore
import TestSupport
import Testing

@testable import SecItemSQLite
@testable import SecItemSealing

/// Stores of the one format. The files are kept forever.
@Suite struct FixtureTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Opens a copy, and restores the modes, which version control does not keep.
    private func open(_ name: String, passphrase: String?) throws -> SQLiteStore {
        let fixture = Bundle.module.bundleURL.appendingPathComponent("Fixtures/\(name)").path
        try FileManager.default.copyItem(atPath: fixture, toPath: folder.location.folder)
        chmod(folder.location.folder, 0o700)
        for file in ["items.db", "device.key"] { chmod(folder.location.folder + "/" + file, 0o600) }
        return try openStore(folder.location, passphrase: passphrase)
    }

    private func check(_ store: SQLiteStore, _ accessibles: [Accessible], others: Int = 0) throws {
        let filter = RecordFilter(itemClass: .genericPassword, attributes: [.service: .string("probe")])
        #expect(try store.find(filter).count == accessibles.count + others)
        for accessible in accessibles {
            let code = accessible.rawValue
            let filter = RecordFilter(
                itemClass: .genericPassword,
                attributes: [.service: .string("probe"), .account: .string("account \(code)")],
                accessGroups: ["group"])
            let record = try #require(try store.find(filter).first)
            #expect(record.secretData == Data("secret \(code)".utf8))
            #expect(record.accessible == accessible)
            #expect(record.attributes[.label]?.string == "label of account \(code)")
            #expect(try store.find(filter, .secrets).count == 1)
        }
        let servers = RecordFilter(
            itemClass: .internetPassword,
            attributes: [
                .server: .string("example.org"), .account: .string("account"), .port: .integer(8_443),
                .path: .string("/Ünïcode/\u{1F511}"),
            ],
            accessGroups: ["group"])
        let server = try #require(try store.find(servers).first)
        #expect(server.secretData == Data("server's secret".utf8))
        #expect(server.secrets[.extraNotes]?.data() == Data("notes".utf8))
        #expect(server.attributes[.creationDate]?.date == Date(timeIntervalSinceReferenceDate: 0.123_456_789))
        guard case .real(0.5) = server.attributes[.creator] else { return #expect(Bool(false)) }
        try store.verify()
        #expect(try store.update(servers, [.port: .integer(1)]) == 1)
    }

    @Test func format1_keyFile_isRead() throws {
        let store = try open("format1-key-file", passphrase: nil)
        #expect(!store.isPassphraseProtected)
        try check(store, Accessible.allCases.filter { $0 != .untilReboot && $0 != .whenPasscodeSetThisDeviceOnly })
    }

    @Test func format1_passphrase_isRead() throws {
        let store = try open("format1-passphrase", passphrase: "fixture")
        #expect(store.isPassphraseProtected)
        try check(store, Accessible.allCases.filter { $0 != .untilReboot })
    }

    @Test func format1_guarded_isRead() throws {
        let store = try open("format1-guarded", passphrase: "fixture")
        #expect(try store.hasGuardKey())
        try check(store, Accessible.allCases.filter { $0 != .untilReboot }, others: 1)
        let record = try #require(try store.find(.password(account: "account guarded")).first)
        #expect(try record.constraints?.flags == .devicePasscode)
        #expect(
            try store.secrets(of: record, passphrase: "fixture") == [.valueData: Data("secret guarded".utf8)])
        #expect(record.guardedSecrets != nil)
        // It also takes new guarded items, and new secrets of old ones.
        try store.insert(.guarded("new"))
        #expect(try store.update(.password(account: "account guarded"), secret: Data("changed".utf8)) == 1)
        let again = try openStore(folder.location, passphrase: "fixture")
        #expect(try again.secret("new", passphrase: "fixture") == Data("secret".utf8))
        #expect(try again.secret("account guarded", passphrase: "fixture") == Data("changed".utf8))
        try again.verify()
        expect(.authenticationFailed) { _ = try store.guardKey(passphrase: Secret("other")) }
    }

    @Test func format1_constraints_areRead() throws {
        let store = try open("format1-constraints", passphrase: nil)
        let record = try #require(try store.find(.password(account: "account guarded"), .secrets).first)
        #expect(try record.constraints?.flags == .devicePasscode)
        #expect(record.secretData == Data("secret guarded".utf8))
    }
}

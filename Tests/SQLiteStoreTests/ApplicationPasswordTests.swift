// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemConformance
import SecItemShim
import SecItemStore
import TestSupport
import Testing

@testable import SecItemSQLite
@testable import SecItemSealing

/// Items with an application password, in the files of the embedded store.
@Suite struct ApplicationPasswordTests {
    private static let data = Data("the data of an item under a password".utf8)
    private static let password = Secret(Data("the password of the item".utf8))
    private let folder: TemporaryFolder
    private var location: StoreLocation { StoreLocation(folder: folder.url.appendingPathComponent("store").path) }

    init() throws {
        folder = try TemporaryFolder(in: "/dev/shm")
    }

    static func record(
        _ account: String, _ flags: AccessConstraints.Flags = .applicationPassword
    ) throws -> (record: ItemRecord, seal: PasswordSeal) {
        let derivation = PasswordSeal.newDerivation(.lowest)
        let constraints = try #require(AccessConstraints(flags: flags, password: derivation))
        let record = ItemRecord.password(
            account: account, secret: data, more: [.accessControl: .data(constraints.encoded)])
        let seal = try PasswordSeal(password, derivation)
        return (try seal.sealing(record), seal)
    }

    private static func open(_ record: ItemRecord) throws -> Data? {
        let constraints = try #require(try record.constraints?.password)
        return try PasswordSeal(password, constraints).opening(record).secrets[.valueData]?.data()
    }

    /// Neither the files nor the records of an unlocked store reveal the data or the password.
    @Test(arguments: [nil, "right"]) func files_showNeitherDataNorPassword(_ passphrase: String?) throws {
        let store = try openStore(location, passphrase: passphrase)
        try store.insert(Self.record("a").record)
        try store.insert(Self.record("b", [.applicationPassword, .userPresence]).record)
        for account in ["a", "b"] {
            let record = try #require(try store.find(.password(account: account)).first)
            for secret in try store.secrets(of: record, passphrase: "right").values {
                #expect(secret.range(of: Self.data) == nil)
            }
        }
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder.url.path)
        #expect(files.contains { $0.hasSuffix("items.db") })
        for file in files {
            guard let bytes = FileManager.default.contents(atPath: folder.url.appendingPathComponent(file).path) else {
                continue
            }
            #expect(bytes.range(of: Self.data) == nil && bytes.range(of: Self.password.data()) == nil, "\(file)")
        }
    }

    /// Adding, changing or removing the store's passphrase does not change such items, and neither does a rekey.
    @Test func passphraseAndKeysOfTheStore_mayChange() throws {
        let store = try openStore(location, passphrase: nil)
        try store.insert(Self.record("a").record)
        try store.insert(Self.record("b", [.applicationPassword, .devicePasscode]).record)
        func expectItems(_ passphrase: String?) throws {
            for account in ["a", "b"] {
                var record = try #require(try store.find(.password(account: account)).first)
                #expect((record.guardedSecrets != nil) == (passphrase != nil && account == "b"))
                record.secrets = try store.secrets(of: record, passphrase: passphrase ?? "").mapValues { Secret($0) }
                record.guardedSecrets = nil
                #expect(try Self.open(record) == Self.data)
            }
        }
        try expectItems(nil)
        for (old, new) in [(nil, "first"), ("first", "second"), ("second", nil)] as [(String?, String?)] {
            try store.changePassphrase(old, to: new)
            try expectItems(new)
        }
    }

    // MARK: The seal itself

    @Test func seal_opensWhatItSealed_ofAnySize() throws {
        for count in [0, 1, 31, 32, 33, 1 << 16] {
            let (record, seal) = try Self.record("a")
            var plain = try seal.opening(record)
            plain.secrets = [.valueData: Secret(Data(repeating: 7, count: count))]
            let sealed = try seal.sealing(plain)
            #expect(sealed.secrets[.valueData]?.count == 1 + 8 + 12 + count + 16)
            #expect(try Self.open(sealed) == Data(repeating: 7, count: count))
            #expect(try seal.sealing(plain).secrets[.valueData]?.data() != sealed.secrets[.valueData]?.data())
        }
    }

    /// A file from somebody else cannot make a program spend more than the allowed cost.
    @Test func derivation_thatCostsTooMuch_isDamage() throws {
        let salt = Data(count: 32)
        for (rounds, size, lanes) in [
            (0, 8, 1), (20, 8, 1), (23, 8, 1), (255, 8, 1), (17, 0, 1), (17, 255, 1), (17, 8, 0), (17, 8, 5),
            (4, 8, 255),
        ] as [(UInt8, UInt8, UInt8)] {
            let derivation = AccessConstraints.PasswordDerivation(
                logarithmOfRounds: rounds, blockSize: size, parallelism: lanes, salt: salt)
            expect(.corrupt) { _ = try PasswordSeal(Self.password, derivation) }
        }
        for count in [1, 31, 33, 4096] {
            let derivation = AccessConstraints.PasswordDerivation(
                logarithmOfRounds: 4, blockSize: 8, parallelism: 1, salt: Data(count: count))
            expect(.corrupt) { _ = try PasswordSeal(Self.password, derivation) }
        }
        expect(.authenticationFailed) { _ = try PasswordSeal(Secret(Data()), PasswordSeal.newDerivation(.lowest)) }
    }

    /// New items have the same cost as the passphrase of a store.
    @Test func newItems_costWhatAPassphraseDoes() throws {
        let derivation = PasswordSeal.newDerivation(.standard)
        #expect(
            derivation.logarithmOfRounds == 17 && derivation.blockSize == 8 && derivation.parallelism == 1
                && derivation.salt.count == 32)
        #expect(ScryptCost.standard.isFitForReading)
        let seal = try PasswordSeal(Self.password, derivation)
        #expect(seal.derivation == derivation)
    }

    /// A sealed secret opens only for its own attribute, item and constraints.
    @Test func binding_coversAttributeItemAndConstraints() throws {
        let (record, seal) = try Self.record("a")
        let sealed = try #require(record.secrets[.valueData])
        func expectDamage(_ change: (inout ItemRecord) -> Void) {
            var changed = record
            change(&changed)
            expect(.corrupt) { _ = try seal.opening(changed) }
        }
        expectDamage { $0.secrets = [.extraNotes: sealed] }
        expectDamage { $0.attributes[.accessControl] = .data(Data([1, 0, 0, 0, 1])) }
        expectDamage { $0.attributes[.accessControl] = nil }
        expectDamage { changed in
            changed = ItemRecord(
                reference: PersistentReference(itemClass: .genericPassword), attributes: changed.attributes,
                secrets: changed.secrets)
        }
        var other = record
        other.attributes[.account] = .string("b")
        other.attributes[.accessible] = .string("ck")
        #expect(try seal.opening(other).secrets[.valueData]?.data() == Self.data)
    }
}

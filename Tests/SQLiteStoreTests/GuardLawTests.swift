// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemConformance
import SecItemStore
import TestSupport
import Testing

@testable import SecItemSQLite
@testable import SecItemSealing

/// Guarded items during random and interrupted changes of a store.
@Suite struct GuardLawTests {
    // MARK: Death

    /// The process dies just before each flush to the disk, while the passphrase is added, changed or removed. The
    /// store then has either passphrase, and all items.
    @Test(arguments: [(nil, "new"), ("old", "new"), ("old", nil)] as [(String?, String?)])
    func deathAtEachMoment_leavesOnePassphrase_andAllItems(_ old: String?, _ new: String?) throws {
        var isFinished = false, point = 0, ends: Set<String?> = []
        while !isFinished && point < 40 {
            point += 1
            let folder = try TemporaryFolder()
            try { () throws in
                let store = try openStore(folder.location, passphrase: old)
                try store.insert(.password(account: "free"))
                for number in 0..<20 {
                    try store.insert(.guarded("\(number)", secret: Data(repeating: 7, count: number * 300)))
                }
            }()
            var environment = ["PROBE_COUNTS_SYNCS": "1", "PROBE_DIE_AT_SYNC": "\(point)"]
            environment["PROBE_PASSPHRASE"] = old
            let end = try Program.built(
                "StoreProbe", ["set-passphrase", folder.location.folder, new ?? ""], adding: environment
            ).run()
            isFinished = end.status == 0
            #expect(isFinished || end.status == 9, "\(end)")
            let store = try openStore(folder.location)
            let method = try store.header().rootMethod
            let now =
                method == .keyFile
                ? nil : [old, new].compactMap { $0 }.first { (try? store.unlock(passphrase: Secret($0))) != nil }
            ends.insert(now)
            #expect([old, new].contains(now))
            #expect(try store.hasGuardKey() == (now != nil))
            #expect(try store.secret("free") == Data("secret".utf8))
            for number in 0..<20 {
                let secret = try store.secret("\(number)", passphrase: now ?? "")
                #expect(secret == Data(repeating: 7, count: number * 300), "\(number) after \(point)")
                #expect((try store.find(.password(account: "\(number)")).first?.guardedSecrets != nil) == (now != nil))
            }
            try store.verify()
        }
        #expect(isFinished && point > 2 && ends.contains(new), "\(point) \(ends)")
    }

    // MARK: Random histories

    /// The predicted content of the store.
    private struct Model {
        struct Item {
            var flags: AccessConstraints.Flags?
            var secret: Data
            var label = ""
        }

        var items: [String: Item] = [:]
        var passphrase: String?
    }

    @Test func randomHistory_isThatOfTheModel() throws {
        var random = SeededGenerator()
        for _ in 0..<6 {
            let folder = try TemporaryFolder()
            var model = Model()
            var store = try openStore(folder.location)
            for step in 0..<60 {
                try take(step, &store, &model, folder.location, &random)
                try check(store, model)
            }
            try store.verify()
        }
    }

    private static let accounts = (0..<8).map(String.init)
    private static let flags: [AccessConstraints.Flags?] = [
        nil, .devicePasscode, .userPresence, .biometryAny, [.devicePasscode, .or, .biometryAny], .privateKeyUsage,
    ]
    private static let accessibles: [Accessible] = [
        .whenUnlocked, .afterFirstUnlock, .always, .whenUnlockedThisDeviceOnly,
    ]

    private func take(
        _ step: Int, _ store: inout SQLiteStore, _ model: inout Model, _ location: StoreLocation,
        _ random: inout SeededGenerator
    ) throws {
        let account = Self.accounts.randomElement(using: &random) ?? ""
        let secret = Data(repeating: UInt8(step), count: Int.random(in: 0...100, using: &random))
        let filter = RecordFilter.password(account: account)
        switch Int.random(in: 0..<10, using: &random) {
        case 0, 1, 2:
            let flags = Self.flags.randomElement(using: &random) ?? nil
            let accessible = Self.accessibles.randomElement(using: &random) ?? .always
            let record =
                try flags.map { try ItemRecord.guarded(account, $0, accessible: accessible, secret: secret) }
                ?? .password(account: account, accessible: accessible, secret: secret)
            if model.items[account] == nil {
                try store.insert(record)
                model.items[account] = Model.Item(flags: flags, secret: secret)
            } else {
                expect(.duplicate) { try store.insert(record) }
            }
        case 3:
            #expect(try store.delete(filter) == (model.items.removeValue(forKey: account) == nil ? 0 : 1))
        case 4:
            let isThere = model.items[account] != nil
            #expect(try store.update(filter, [.label: .string("\(step)")]) == (isThere ? 1 : 0))
            model.items[account]?.label = "\(step)"
        case 5:
            let isThere = model.items[account] != nil
            #expect(try store.update(filter, secret: secret) == (isThere ? 1 : 0))
            model.items[account]?.secret = secret
        case 6:
            let accessible = Self.accessibles.randomElement(using: &random) ?? .always
            _ = try store.update(filter, [.accessible: .string(accessible.rawValue)])
        case 7:
            let flags = Self.flags.compactMap { $0 }.randomElement(using: &random) ?? .devicePasscode
            guard model.items[account] != nil, let constraints = AccessConstraints(flags: flags) else { return }
            try store.update(filter, [.accessControl: .data(constraints.encoded)], secret: secret)
            model.items[account]?.flags = flags
            model.items[account]?.secret = secret
        case 8:
            let new = [nil, "one", "two"].randomElement(using: &random) ?? nil
            try store.changePassphrase(model.passphrase, to: new)
            model.passphrase = new
        default:
            // By a store object that uses the lowest cost.
            if Bool.random(using: &random) { _ = try openStore(location, passphrase: model.passphrase).rekey() }
            store = try openStore(location)
            if let passphrase = model.passphrase { try store.unlock(passphrase: Secret(passphrase)) }
        }
    }

    private func check(_ store: SQLiteStore, _ model: Model) throws {
        let found = try store.find(.password())
        #expect(Set(found.compactMap(\.accountName)) == Set(model.items.keys) && found.count == model.items.count)
        let key = try model.passphrase.map { try store.guardKey(passphrase: Secret($0)) }
        for record in found {
            let item = try #require(record.accountName.flatMap { model.items[$0] })
            #expect(try record.constraints?.flags == item.flags)
            #expect((record.attributes[.label]?.string ?? "") == item.label)
            let isSealed =
                model.passphrase != nil
                && item.flags.map { !$0.isDisjoint(with: [.devicePasscode, .userPresence]) } == true
            #expect((record.guardedSecrets != nil) == isSealed)
            if let guarded = record.guardedSecrets, let key {
                #expect(try store.secrets(in: guarded, of: record, with: key)[.valueData]?.data() == item.secret)
            } else {
                #expect(record.secretData == item.secret)
            }
        }
    }
}

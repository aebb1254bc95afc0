// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore
import TestSupport
import Testing

@testable import SecItemSQLite
@testable import SecItemSealing

/// Items whose secrets only an authentication opens, in a store with a passphrase, and the same items in a store
/// without one.
@Suite struct GuardTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private var location: StoreLocation { folder.location }
    private func open(_ passphrase: String? = "right") throws -> SQLiteStore {
        try openStore(location, passphrase: passphrase)
    }

    // MARK: Who opens what

    @Test func guardedSecrets_openWithThePassphraseOnly() throws {
        let store = try open()
        try store.insert(.guarded("a"))
        try store.insert(.password(account: "free"))
        let found = try #require(try store.find(.password(account: "a")).first)
        #expect(found.secrets.isEmpty && found.guardedSecrets != nil)
        for wrong in ["wrong", "", "right ", "right\0"] {
            expect(.authenticationFailed) { _ = try store.guardKey(passphrase: Secret(wrong)) }
        }
        #expect(try store.secret("a") == Data("secret".utf8))
        #expect(try store.secret("free") == Data("secret".utf8))
        // A locked store gives the guard key, and stays locked.
        try store.lock()
        let key = try store.guardKey(passphrase: Secret("right"))
        #expect(store.isLocked)
        let guarded = try #require(found.guardedSecrets)
        #expect(try store.secrets(in: guarded, of: found, with: key)[.valueData]?.data() == Data("secret".utf8))
        expect(.locked) { _ = try store.find(.password(account: "a")) }
    }

    /// No query returns secrets of any form without their constraints.
    @Test(arguments: [nil, "right"]) func secrets_comeWithTheirConstraints(_ passphrase: String?) throws {
        let store = try open(passphrase)
        try store.insert(.guarded("a"))
        try store.insert(.guarded("b", .biometryAny))
        try store.insert(.guarded("c", [.privateKeyUsage], secret: nil))
        // So many items that two threads read them.
        for number in 0..<200 { try store.insert(.guarded("\(number)", accessible: .always)) }
        for parts: RecordParts in [.attributes, .secrets, [.attributes, .secrets]] {
            let found = try store.find(.password(), parts)
            #expect(found.count == 203)
            for record in found {
                #expect(try record.constraints != nil)
                let isSealed = record.guardedSecrets != nil
                let isGuarded = passphrase != nil && !["b", "c"].contains(record.accountName)
                #expect(isSealed == (isGuarded && parts.contains(.secrets)), "\(record.accountName ?? "")")
                #expect(record.secrets.isEmpty == (isGuarded || !parts.contains(.secrets) || record.accountName == "c"))
            }
        }
        #expect(try store.find(.password(account: "a"), []).first?.guardedSecrets == nil)
    }

    @Test func flags_thatAPassphraseFulfils_areSealed() throws {
        let store = try open()
        let proofs: [AccessConstraints.Flags] = [
            .userPresence, .biometryAny, .biometryCurrentSet, .devicePasscode, .companion, .applicationPassword,
            .privateKeyUsage, .or, .and,
        ]
        for bits in 1..<(1 << proofs.count) {
            let flags = proofs.indices.reduce(into: AccessConstraints.Flags()) { flags, index in
                if bits & 1 << index != 0 { flags.insert(proofs[index]) }
            }
            try store.insert(.guarded("\(bits)", flags))
            let record = try #require(try store.find(.password(account: "\(bits)")).first)
            let isSealed = flags.contains(.devicePasscode) || flags.contains(.userPresence)
            #expect((record.guardedSecrets != nil) == isSealed, "\(flags)")
            #expect(try record.constraints?.flags == flags)
            try store.delete(.password(account: "\(bits)"))
        }
    }

    /// The database, the key file, and all keys of an unlocked process and its caches do not open a guarded secret.
    @Test func keysOfAnUnlockedProcess_openNoGuardedSecret() throws {
        let cache = try TemporaryFolder(in: "/dev/shm")
        let store = try openStore(location, passphrase: "right", cache: .folder(cache.path))
        try store.insert(.guarded("a"))
        let record = try #require(try store.find(.password(account: "a")).first)
        let sealed = try #require(record.guardedSecrets?.sealed[.valueData])
        let header = try store.header()
        let device = try header.check(store.deviceKey())
        // The root key, which such a process does not have.
        let own = try #require(PassphraseProtector(sources: []).protector(for: header.rootMethod))
        let root = try header.unlocked(own, device: device, passphrase: Secret("right")).root
        var known = [device.wrapping, device.wrappingRoot, device.binding, device.authenticating, root]
        known.append(try Secret(Data(contentsOf: URL(fileURLWithPath: location.keyFilePath))[24..<56]))
        known += try KeyName.allCases.compactMap { try store.currentKeys().key($0) }
        #expect(known.count == 6 + KeyName.required.count - 1)
        let purposes = [
            "secitem/1 root wrap", "secitem/1 device wrap", "secitem/1 device bind root", "secitem/1 device wrap root",
            "secitem/1 passphrase and device wrap root", "secitem/1 passphrase and device wrap guard",
            "secitem/1 vouch for guard key", "secitem/1 attributes",
        ]
        for key in known {
            for purpose in purposes {
                known.append(key.derived(purpose))
                known.append(try device.bound(to: key, purpose))
            }
        }
        let row = try #require(GuardKeyRow(header))
        for key in known {
            expect(.corrupt) { _ = try row.key(key, storeID: store.storeID) }
            expect(.corrupt) {
                _ = try GuardSeal.opened(sealed, as: .valueData, of: record, storeID: store.storeID, with: key)
            }
        }
        // The right key opens it. So the attempts above fail only for lack of that key.
        let right = try #require(try store.guardKey(passphrase: Secret("right")).secret)
        let secret = try GuardSeal.opened(sealed, as: .valueData, of: record, storeID: store.storeID, with: right)
        #expect(secret.data() == Data("secret".utf8))
        // The caches that processes share do not have it.
        try store.shareUnlock(UnlockLimits(timeout: nil, endsAtSleep: false), in: .folder(cache.path))
        let kept = cache.path + "/secitem"
        let names = try FileManager.default.contentsOfDirectory(atPath: kept)
        #expect(names.count >= 2)
        for name in names {
            let content = try Data(contentsOf: URL(fileURLWithPath: kept + "/" + name))
            #expect(content.range(of: right.data()) == nil)
        }
        for content in try location.contents().values { #expect(content.range(of: right.data()) == nil) }
    }

    /// A process with only shared keys adds and finds guarded items, and opens none.
    @Test func sharedKeys_addAndFind_andOpenNothing() throws {
        let cache = try TemporaryFolder(in: "/dev/shm")
        let store = try open()
        try store.insert(.guarded("a"))
        try store.shareUnlock(UnlockLimits(timeout: nil, endsAtSleep: false), in: .folder(cache.path))
        let other = try openStore(location)
        try other.takeSharedUnlock(in: .folder(cache.path))
        #expect(try other.find(.password(account: "a")).first?.guardedSecrets != nil)
        try other.insert(.guarded("b"))
        #expect(try other.find(.password(account: "b")).first?.guardedSecrets != nil)
        #expect(try store.secret("b") == Data("secret".utf8))
    }

    // MARK: The guard key

    /// It comes with the passphrase, so that no add needs the passphrase.
    @Test func storeWithAPassphrase_hasAGuardKey() throws {
        #expect(try !open(nil).hasGuardKey())
        let store = try openStore(StoreLocation(folder: folder.path + "/other"), passphrase: "right")
        let first = try #require(try store.header().keys[.guardKey])
        try store.insert(.guarded("a"))
        try openStore(store.location, passphrase: "right").insert(.guarded("b"))
        #expect(try store.header().keys[.guardKey]?.sealed == first.sealed)
        for account in ["a", "b"] { #expect(try store.secret(account) == Data("secret".utf8)) }
        try store.verify()
    }

    // MARK: Changes

    @Test func update_ofAttributes_needsNoKey_andOfSecretsOnlyThePublicOne() throws {
        let store = try open()
        let guarded = try ItemRecord.guarded("a")
        let server = ItemRecord(
            reference: PersistentReference(itemClass: .internetPassword),
            attributes: guarded.attributes.merging([.server: .string("server")]) { $1 },
            secrets: [.valueData: Secret("x"), .extraNotes: Secret("notes")])
        try store.insert(server)
        try store.insert(guarded)
        let servers = RecordFilter(itemClass: .internetPassword, attributes: [.server: .string("server")])
        try store.lock()
        #expect(try store.update(.password(account: "a"), [.account: .string("b"), .label: .string("l")]) == 1)
        try store.unlock(passphrase: nil)
        #expect(try store.secret("b") == Data("secret".utf8))
        // Changes one of two secrets. The other one stays.
        let changes = RecordChanges(attributes: [:], secrets: [.extraNotes: Secret("new notes")])
        #expect(try store.update(matching: servers, applying: changes, interaction: .allowed) == 1)
        let found = try #require(try store.find(servers).first)
        #expect(
            try store.secrets(of: found, passphrase: "right")
                == [.valueData: Data("x".utf8), .extraNotes: Data("new notes".utf8)])
        // Another protection class, whose key also seals them.
        for accessible in [Accessible.afterFirstUnlock, .always, .whenPasscodeSetThisDeviceOnly] {
            #expect(try store.update(.password(account: "b"), [.accessible: .string(accessible.rawValue)]) == 1)
            #expect(try store.secret("b") == Data("secret".utf8))
        }
    }

    @Test func constraints_changeOnlyTogetherWithTheSecrets() throws {
        let store = try open()
        try store.insert(.guarded("a"))
        let old = try #require(try store.find(.password(account: "a")).first)
        for flags: AccessConstraints.Flags in [.biometryAny, .userPresence, [.devicePasscode, .or, .biometryAny]] {
            let other = try #require(AccessConstraints(flags: flags)).encoded
            expect(.locked) { try store.update(.password(account: "a"), [.accessControl: .data(other)]) }
        }
        #expect(try store.secret("a") == Data("secret".utf8))
        let other = try #require(AccessConstraints(flags: .userPresence)).encoded
        #expect(
            try store.update(.password(account: "a"), [.accessControl: .data(other)], secret: Data("new".utf8)) == 1)
        #expect(try store.secret("a") == Data("new".utf8))
        // Secrets that were sealed under other constraints do not open under these.
        var mixed = try #require(try store.find(.password(account: "a")).first)
        mixed.guardedSecrets = old.guardedSecrets
        expect(.corrupt) { _ = try store.secrets(of: mixed, passphrase: "right") }
        let finger = try #require(AccessConstraints(flags: .biometryAny)).encoded
        #expect(
            try store.update(.password(account: "a"), [.accessControl: .data(finger)], secret: Data("3".utf8)) == 1)
        #expect(try store.find(.password(account: "a")).first?.secretData == Data("3".utf8))
    }

    /// A condition on secrets never matches a guarded item.
    @Test(arguments: [true, false]) func conditionOnSecrets_meansNoGuardedItem(_ isEqual: Bool) throws {
        let store = try open()
        try store.insert(.guarded("a"))
        try store.insert(.password(account: "free", secret: isEqual ? Data("secret".utf8) : Data()))
        let condition = RecordCondition(on: .secrets) {
            ($0.secrets[.valueData]?.data() == Data("secret".utf8)) == isEqual
        }
        let filter = RecordFilter(itemClass: .genericPassword, condition: condition)
        for interaction: Interaction in [.allowed, .skipped] {
            #expect(try store.find(filter, interaction: interaction).map(\.accountName) == ["free"])
        }
        #expect(try store.update(filter, [.label: .string("x")]) == 1)
        #expect(try store.delete(filter) == 1)
        #expect(try store.secret("a") == Data("secret".utf8))
    }

    @Test func guardedSecrets_areNotStoredAsAnotherItem() throws {
        let store = try open()
        try store.insert(.guarded("a"))
        let found = try #require(try store.find(.password(account: "a")).first)
        var copy = try ItemRecord.guarded("copy", secret: nil)
        copy.guardedSecrets = found.guardedSecrets
        expect(.unsupported) { try store.insert(copy) }
        expect(.unsupported) { try openStore(TemporaryFolder().location).insert(copy) }
        // The secrets of one item do not open for another.
        var another = try ItemRecord.guarded("another")
        another.guardedSecrets = found.guardedSecrets
        another.secrets = [:]
        expect(.corrupt) { _ = try store.secrets(of: another, passphrase: "right") }
    }

    @Test func unreadableConstraints_areRefused() throws {
        let store = try open()
        for bytes in [Data(), Data([9]), Data([1, 0, 0, 0, 0]), Data([1, 255, 255, 255, 255])] {
            expect(.corrupt) {
                try store.insert(.password(account: "a", more: [.accessControl: .data(bytes)]))
            }
        }
        expect(.corrupt) { try store.insert(.password(account: "a", more: [.accessControl: .string("x")])) }
        #expect(try store.find(.password()).isEmpty)
    }

    // MARK: Passphrases come, change and go

    @Test func passphrase_comesAndGoes_andNothingIsLost() throws {
        var store = try open(nil)
        let secrets: [String: Data?] = [
            "a": Data("secret".utf8), "finger": Data("secret".utf8), "empty": Data(), "none": nil,
            "free": Data("secret".utf8),
        ]
        try store.insert(.guarded("a"))
        try store.insert(.guarded("finger", .biometryAny))
        try store.insert(.guarded("empty", secret: Data()))
        try store.insert(.guarded("none", secret: nil))
        try store.insert(.password(account: "free"))
        var passphrase: String?
        for next in ["one", "two", "two", nil, "three", nil, nil] {
            try store.changePassphrase(passphrase, to: next)
            passphrase = next
            #expect(try store.hasGuardKey() == (next != nil))
            let again = try open(nil)
            if let next { try again.unlock(passphrase: Secret(next)) }
            for store in [store, again] {
                let found = try store.find(.password())
                #expect(found.count == 5)
                for record in found {
                    let account = try #require(record.accountName)
                    let isSealed = next != nil && ["a", "empty"].contains(account)
                    #expect((record.guardedSecrets != nil) == isSealed, "\(account) \(next ?? "")")
                    let secret = try store.secrets(of: record, passphrase: next ?? "")[.valueData]
                    #expect(secret == secrets[account] ?? nil, "\(account) \(next ?? "")")
                }
                try store.verify()
            }
            if let next {
                expect(.authenticationFailed) { _ = try store.guardKey(passphrase: Secret(next + " ")) }
            } else {
                expect(.unavailable) { _ = try store.guardKey(passphrase: Secret("one")) }
            }
            store = again
        }
    }

    /// The key wrapped under the old passphrase, and the secrets from before the first passphrase, are no longer in the
    /// files.
    @Test func oldSealings_areGoneFromTheFiles() throws {
        let store = try open(nil)
        try store.insert(.guarded("a"))
        let plain = try store.connection.read { database in
            let query = try PreparedQuery(database, "SELECT secrets FROM item")
            defer { query.finish() }
            _ = try query.step()
            return Data(query.bytes(0))
        }
        try store.changePassphrase(nil, to: "one")
        let first = try #require(try store.header().keys[.guardKey]?.sealed)
        try store.changePassphrase("one", to: "two")
        for content in try location.contents().values {
            #expect(content.range(of: plain.suffix(32)) == nil)
            #expect(content.range(of: Data(first.suffix(40))) == nil)
        }
    }

    @Test func otherProcesses_followThePassphrase() throws {
        let store = try open("one"), other = try open("one")
        try store.insert(.guarded("a"))
        #expect(try other.secret("a", passphrase: "one") == Data("secret".utf8))
        let early = try other.guardKey(passphrase: Secret("one"))
        try store.changePassphrase("one", to: "two")
        expect(.authenticationFailed) { _ = try other.guardKey(passphrase: Secret("one")) }
        #expect(try other.secret("a", passphrase: "two") == Data("secret".utf8))
        try other.insert(.guarded("b"))
        #expect(try store.secret("b", passphrase: "two") == Data("secret".utf8))
        // An authentication that had begun continues with the keys it had read.
        let record = try #require(try other.find(.password(account: "a")).first)
        let guarded = try #require(record.guardedSecrets)
        #expect(try other.secrets(in: guarded, of: record, with: early)[.valueData]?.data() == Data("secret".utf8))
        // If a passphrase is configured, a store without one stores nothing.
        try store.changePassphrase("two", to: nil)
        expect(.unavailable) { try other.insert(.guarded("c")) }
    }

    /// If another process has set a passphrase, a process that knows the store without one stores nothing unsealed.
    @Test func passphraseOfAnotherProcess_isKnownWhenItMatters() throws {
        let store = try open(nil), other = try open(nil)
        try other.insert(.password(account: "free"))
        try store.changePassphrase(nil, to: "one")
        try other.insert(.guarded("a"))
        try store.insert(.guarded("b"))
        for account in ["a", "b"] { #expect(try store.secret(account, passphrase: "one") == Data("secret".utf8)) }
        #expect(try other.find(.password(account: "a")).first?.guardedSecrets != nil)
    }

    /// If an item cannot be opened, the guard key stays, because a backup may need it.
    @Test func damagedItem_keepsItsKey() throws {
        let store = try open("one")
        try store.insert(.guarded("a"))
        try store.insert(.guarded("b"))
        try store.connection.write { try $0.execute("UPDATE item SET attributes = zeroblob(64) WHERE id = 1") }
        expect(.corrupt) { try store.changePassphrase("one", to: nil) }
        #expect(try store.header().keys[.guardKey] != nil)
        #expect(try store.secret("b", passphrase: "one") == Data("secret".utf8))
        try store.changePassphrase("one", to: "two")
        #expect(try store.secret("b", passphrase: "two") == Data("secret".utf8))
    }
}

// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore
import Synchronization
import TestSupport
import Testing

@testable import SecItemSQLite
@testable import SecItemSealing

/// Passphrases, protection classes, and calls on a locked store.
@Suite struct LockTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        let store = try openStore(folder.location, passphrase: "right")
        #expect(store.isPassphraseProtected)
        try store.insert(.password(account: "ak", accessible: .whenUnlocked))
        try store.insert(.password(account: "ck", accessible: .afterFirstUnlock))
        try store.insert(.password(account: "dk", accessible: .always))
    }

    /// A store that finds neither a passphrase nor the cached keys of another process.
    private func openBlindly() throws -> SQLiteStore {
        try SQLiteStore(location: folder.location, cache: .none, logger: CollectedLog().logger)
    }

    private func passphrase(_ text: String) -> Secret { Secret(Data(text.utf8)) }

    // MARK: Before the first unlock

    @Test func beforeFirstUnlock_onlyAlwaysItemsCanBeUsed() throws {
        let store = try openBlindly()
        #expect(store.isLocked)
        #expect(store.isPassphraseProtected)
        #expect(try store.find(.password(service: "service", account: "dk"), limit: 1).count == 1)
        expect(.locked) { _ = try store.find(.password(service: "service", account: "ak"), limit: 1) }
        expect(.locked) { _ = try store.find(.password(service: "service", account: "ck"), limit: 1) }
        // Nobody can tell whether such an item exists.
        expect(.locked) { _ = try store.find(.password(service: "service", account: "none"), .attributes, limit: 1) }
        expect(.locked) { _ = try store.find(.password()) }
        expect(.locked) { _ = try store.find(.password(groups: nil)) }
        expect(.locked) { try store.update(.password(account: "ck"), [.label: .string("x")]) }
        expect(.locked) { try store.delete(.password(account: "ck")) }
        expect(.locked) { try store.insert(.password(account: "new", accessible: .afterFirstUnlock)) }
        // An item that cannot be seen might have the same primary key.
        expect(.locked) { try store.insert(.password(account: "new", accessible: .always)) }
        #expect(try store.find(.password(), interaction: .skipped).map(\.accountName) == ["dk"])
        #expect(try store.find(.password(groups: nil), interaction: .skipped).map(\.accountName) == ["dk"])
    }

    @Test func beforeFirstUnlock_otherClassIsFree() throws {
        let store = try openBlindly()
        let record = ItemRecord(
            reference: PersistentReference(itemClass: .certificate),
            attributes: [.issuer: .data(Data([1])), .serialNumber: .data(Data([2])), .accessible: .string("dk")],
            secrets: [.valueData: Secret(Data([3]))]
        )
        try store.insert(record)
        let filter = RecordFilter(itemClass: .certificate, attributes: [.issuer: .data(Data([1]))])
        #expect(try store.find(filter).count == 1)
        #expect(try store.update(filter, [.label: .string("label")]) == 1)
        #expect(try store.delete(filter) == 1)
        #expect(try store.find(filter).isEmpty)
    }

    @Test func beforeFirstUnlock_references() throws {
        let all = try openStore(folder.location, passphrase: "right").find(.password())
        let store = try openBlindly()
        for record in all {
            let filter = RecordFilter(itemClass: .genericPassword, reference: record.reference)
            if record.accountName == "dk" {
                #expect(try store.find(filter).count == 1)
                #expect(try store.update(filter, [.label: .string("x")]) == 1)
            } else {
                expect(.locked) { _ = try store.find(filter) }
                expect(.locked) { try store.update(filter, [.label: .string("x")]) }
            }
        }
        let none = RecordFilter(
            itemClass: .genericPassword, reference: PersistentReference(itemClass: .genericPassword))
        #expect(try store.find(none).isEmpty)
    }

    // MARK: Unlocking

    @Test func unlock_wrongPassphrase_isAuthenticationFailed() throws {
        let store = try openBlindly()
        expect(.authenticationFailed) { try store.unlock(passphrase: passphrase("wrong")) }
        expect(.authenticationFailed) { try store.unlock(passphrase: passphrase("")) }
        expect(.locked) { try store.unlock(passphrase: nil) }
        #expect(store.isLocked)
        try store.unlock(passphrase: passphrase("right"))
        #expect(!store.isLocked)
        #expect(try store.find(.password()).count == 3)
    }

    @Test func lock_forgetsWhenUnlockedItemsOnly() throws {
        let store = try openStore(folder.location, passphrase: "right")
        #expect(try store.find(.password()).count == 3)
        try store.lock()
        #expect(store.isLocked)
        expect(.locked) { _ = try store.find(.password(account: "ak")) }
        expect(.locked) { _ = try store.find(.password()) }
        // Calls that need no locked secret still work.
        #expect(try store.find(.password(), .attributes).count == 3)
        #expect(try store.find(.password(account: "ck")).first?.secretData == Data("secret".utf8))
        #expect(try store.find(.password(), interaction: .skipped).map(\.accountName) == ["ck", "dk"])
        #expect(try store.find(.password(account: "none")).isEmpty)
        #expect(try store.update(.password(account: "ak"), [.account: .string("renamed")]) == 1)
        expect(.locked) { try store.update(.password(account: "renamed"), secret: Data()) }
        expect(.locked) { try store.update(.password(account: "renamed"), [.accessible: .string("ck")]) }
        expect(.locked) { try store.update(.password(account: "ck"), [.accessible: .string("ak")]) }
        expect(.locked) { try store.insert(.password(account: "renamed")) }
        expect(.duplicate) { try store.insert(.password(account: "renamed", accessible: .afterFirstUnlock)) }
        try store.insert(.password(account: "more", accessible: .afterFirstUnlock))
        try store.unlock(passphrase: passphrase("right"))
        #expect(try store.find(.password(account: "renamed")).first?.secretData == Data("secret".utf8))
        try store.lock()
        #expect(try store.delete(.password(account: "renamed")) == 1)
    }

    @Test func lock_keyFileStore_locksToo() throws {
        let folder = try TemporaryFolder()
        let store = try openStore(folder.location)
        #expect(!store.isPassphraseProtected && !store.isLocked)
        try store.insert(.password())
        try store.lock()
        #expect(store.isLocked)
        expect(.locked) { _ = try store.find(.password()) }
        try store.unlock(passphrase: nil)
        #expect(try store.find(.password()).count == 1)
    }

    @Test func source_isAskedOnlyWhenAllowed_andOnlyWhenNeeded() throws {
        let asked = Mutex(0)
        let source = PassphraseSource.closure {
            asked.withLock { $0 += 1 }
            return Secret(Data("right".utf8))
        }
        let store = try SQLiteStore(
            location: folder.location, protector: PassphraseProtector(sources: [source], cost: .lowest), cache: .none,
            logger: CollectedLog().logger)
        #expect(try store.find(.password(service: "service", account: "dk"), limit: 1).count == 1)
        #expect(asked.withLock { $0 } == 0)
        expect(.locked) { _ = try store.find(.password(account: "ak"), interaction: .forbidden) }
        #expect(try store.find(.password(), interaction: .skipped).count == 1)
        #expect(asked.withLock { $0 } == 0)
        #expect(try store.find(.password()).count == 3)
        #expect(asked.withLock { $0 } == 1)
        try store.lock()
        // A store that was locked on purpose stays locked.
        expect(.locked) { _ = try store.find(.password()) }
        #expect(asked.withLock { $0 } == 1)
        try store.unlock(passphrase: nil)
        #expect(asked.withLock { $0 } == 2)
        #expect(!store.isLocked)
    }

    /// The ways to unlock a store that ask for the passphrase.
    enum Unlocking: CaseIterable {
        case lookUp, unlock, setPassphrase

        func run(_ store: SQLiteStore) throws {
            switch self {
            case .lookUp: _ = try store.find(.password(account: "ak"))
            case .unlock: try store.unlock(passphrase: nil)
            case .setPassphrase: try store.setPassphrase(Secret(Data("right".utf8)), cost: .lowest)
            }
        }
    }

    /// A lock while another thread is unlocking also cancels that unlock.
    @Test(.timeLimit(.minutes(60)), arguments: Unlocking.allCases)
    func lock_whileUnlocking_stays(_ unlocking: Unlocking) throws {
        let isAsked = DispatchSemaphore(value: 0), isLocked = DispatchSemaphore(value: 0)
        let source = PassphraseSource.closure {
            isAsked.signal()
            isLocked.wait()
            return Secret(Data("right".utf8))
        }
        let store = try SQLiteStore(
            location: folder.location, protector: PassphraseProtector(sources: [source], cost: .lowest), cache: .none,
            logger: CollectedLog().logger)
        let failure = Shared<StoreError?>(nil)
        let worker = Worker {
            do { try unlocking.run(store) } catch { failure.change { $0 = error as? StoreError } }
        }
        isAsked.wait()
        try store.lock()
        isLocked.signal()
        worker.join()
        // An unlock that succeeded was followed by the lock. Setting a passphrase succeeds, and leaves the store
        // locked.
        #expect(failure.value?.code == (unlocking == .lookUp ? .locked : nil))
        #expect(store.isLocked)
        expect(.locked) { _ = try store.find(.password(account: "ak")) }
        try store.unlock(passphrase: passphrase("right"))
        #expect(try store.find(.password()).count == 3)
    }

    @Test func setPassphrase_ofALockedStore_leavesItLocked() throws {
        let store = try openStore(folder.location, passphrase: "right")
        #expect(try store.find(.password()).count == 3)
        try store.lock()
        try store.setPassphrase(passphrase("new"), current: passphrase("right"), cost: .lowest)
        #expect(store.isLocked)
        expect(.locked) { _ = try store.find(.password(account: "ak")) }
        try store.unlock(passphrase: passphrase("new"))
        #expect(try store.find(.password()).count == 3)
    }

    /// A thread that finds the store locked continues if another thread has just unlocked it. A person is asked once.
    @Test func firstLookUps_ofManyThreads_allSucceed() throws {
        let failures = Collected()
        let questions = Atomic(0)
        let source = PassphraseSource.closure {
            questions.add(1, ordering: .relaxed)
            return Secret(Data("right".utf8))
        }
        for round in 1...40 {
            let store = try SQLiteStore(
                location: folder.location, protector: PassphraseProtector(sources: [source], cost: .lowest),
                cache: .none, logger: CollectedLog().logger)
            let group = DispatchGroup()
            for number in 0..<16 {
                group.enter()
                Thread.detachNewThread {
                    usleep(UInt32(number * 200))
                    do {
                        let found = try store.find(.password(account: "ak"))
                        if found.count != 1 { failures.lines.withLock { $0.append("\(found.count) items") } }
                    } catch {
                        failures.lines.withLock { $0.append("\(error)") }
                    }
                    group.leave()
                }
            }
            group.wait()
            #expect(questions.load(ordering: .relaxed) == round)
        }
        #expect(failures.lines.withLock { $0 } == [])
    }

    @Test func source_thatThrowsOrHasNone_leavesLocked() throws {
        struct Refusal: Error {}
        func open(_ source: PassphraseSource) throws -> SQLiteStore {
            try SQLiteStore(
                location: folder.location, protector: PassphraseProtector(sources: [source]), cache: .none,
                logger: CollectedLog().logger)
        }
        let none = try open(.closure { nil })
        expect(.locked) { _ = try none.find(.password(account: "ak")) }
        let throwing = try open(.closure { throw Refusal() })
        expect(.cancelled) { _ = try throwing.find(.password(account: "ak")) }
        expect(.cancelled) { try throwing.unlock(passphrase: nil) }
    }

    /// A closure that reads from the store that it unlocks must not wait for itself.
    @Test func source_thatUsesTheStore_doesNotHang() throws {
        let holder = Mutex<SQLiteStore?>(nil)
        let source = PassphraseSource.closure {
            let store = holder.withLock { $0 }
            let found = try store?.find(.password(service: "service", account: "dk"), limit: 1)
            #expect(found?.count == 1)
            expect(.locked) { _ = try store?.find(.password(account: "ak")) }
            return Secret(Data("right".utf8))
        }
        let store = try SQLiteStore(
            location: folder.location, protector: PassphraseProtector(sources: [source], cost: .lowest), cache: .none,
            logger: CollectedLog().logger)
        holder.withLock { $0 = store }
        #expect(try store.find(.password(account: "ak")).count == 1)
    }

    @Test func file_givesPassphrase_withoutLineBreak() throws {
        let path = folder.path + "/passphrase"
        for text in ["right", "right\n", "right\r\n"] {
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
            chmod(path, 0o600)
            let store = try SQLiteStore(
                location: folder.location, protector: PassphraseProtector(sources: [.file(path: path)]), cache: .none,
                logger: CollectedLog().logger)
            #expect(try store.find(.password(), interaction: .forbidden).count == 3)
        }
    }

    @Test func file_wrongPassphrase_failsEveryTime_untilUnlocked() throws {
        let path = folder.path + "/passphrase"
        try Data("wrong".utf8).write(to: URL(fileURLWithPath: path))
        chmod(path, 0o600)
        let log = CollectedLog()
        let store = try SQLiteStore(
            location: folder.location, protector: PassphraseProtector(sources: [.file(path: path)]), cache: .none,
            logger: log.logger)
        for _ in 0..<2 { expect(.authenticationFailed) { _ = try store.find(.password(account: "ak")) } }
        #expect(log.text.contains("passphrase does not open"))
        #expect(try store.find(.password(service: "service", account: "dk"), limit: 1).count == 1)
        try store.unlock(passphrase: passphrase("right"))
        #expect(try store.find(.password()).count == 3)
    }

    @Test func systemdCredential_givesPassphrase() throws {
        try Data("right".utf8).write(to: URL(fileURLWithPath: folder.path + "/secitem-passphrase"))
        chmod(folder.path + "/secitem-passphrase", 0o400)
        let store = try SQLiteStore(
            location: folder.location,
            protector: PassphraseProtector(sources: [.systemdCredential(folder: folder.path)]), cache: .none,
            logger: CollectedLog().logger)
        #expect(try store.find(.password()).count == 3)
        // A systemd credential is a file in a folder of the service.
        for name in ["../secitem-passphrase", "../../secitem-passphrase", "/"] {
            let protector = PassphraseProtector(sources: [
                .systemdCredential(name: name, folder: folder.path + "/secitem")
            ])
            #expect(try protector.passphrase(mayAsk: true) == nil, "\(name)")
        }
    }

    @Test func newStore_withoutItsPassphrase_isNotMade() throws {
        let other = try TemporaryFolder()
        expect(.unavailable) {
            _ = try SQLiteStore(
                location: other.location, protector: PassphraseProtector(sources: []), cache: .none,
                logger: CollectedLog().logger)
        }
        #expect(!FileManager.default.fileExists(atPath: other.location.folder))
    }

    // MARK: Changing the passphrase

    @Test func setPassphrase_changes() throws {
        let store = try openStore(folder.location, passphrase: "right")
        expect(.authenticationFailed) {
            try store.setPassphrase(passphrase("new"), current: passphrase("wrong"), cost: .lowest)
        }
        for unfit in ["", "new\0"] {
            expect(.unrepresentable) {
                try store.setPassphrase(passphrase(unfit), current: passphrase("right"), cost: .lowest)
            }
        }
        try store.setPassphrase(passphrase("new"), current: passphrase("right"), cost: .lowest)
        let again = try openBlindly()
        expect(.authenticationFailed) { try again.unlock(passphrase: passphrase("right")) }
        try again.unlock(passphrase: passphrase("new"))
        #expect(try again.find(.password()).count == 3)
    }

    @Test func setPassphrase_addsAndRemoves() throws {
        let folder = try TemporaryFolder()
        let store = try openStore(folder.location)
        try store.insert(.password())
        let before = try store.connection.read(StoreHeader.read).keys[.root]?.sealed
        try store.setPassphrase(passphrase("new"), cost: .lowest)
        #expect(store.isPassphraseProtected)
        // Neither the file nor the log still contains the root key wrapped by the key file alone.
        let old = Data(try #require(before).suffix(40))
        for content in try folder.location.contents().values { #expect(content.range(of: old) == nil) }
        try store.insert(.password(account: "passcode", accessible: .whenPasscodeSetThisDeviceOnly))
        let locked = try SQLiteStore(location: folder.location, cache: .none, logger: CollectedLog().logger)
        expect(.locked) { _ = try locked.find(.password()) }
        expect(.unsupported) { try store.setPassphrase(nil, current: passphrase("new")) }
        try store.delete(.password(account: "passcode"))
        try store.setPassphrase(nil, current: passphrase("new"))
        #expect(!store.isPassphraseProtected)
        #expect(try openStore(folder.location).find(.password()).count == 1)
        expect(.unavailable) { try store.insert(.password(account: "x", accessible: .whenPasscodeSetThisDeviceOnly)) }
    }

    // MARK: Between first unlock and restart

    /// The view of another process that never gets the passphrase.
    private func elsewhere(_ account: String, cache: String? = nil) throws -> String? {
        try Program.built(
            "StoreProbe", ["find", folder.location.folder, account], adding: cache.map { ["PROBE_CACHE": $0] } ?? [:]
        ).run().lines.last
    }

    private func insertForProbe(_ store: SQLiteStore) throws {
        try store.insert(.password(service: "probe", account: "ck", accessible: .afterFirstUnlock))
        try store.insert(.password(service: "probe", account: "ak"))
    }

    @Test func kernelKeyring_keepsAfterFirstUnlockKeys() throws {
        let name = "secitem-test:\(UUID())"
        defer { KernelKeyring.remove(name) }
        guard KernelKeyring.write(name, passphrase("x")) else {
            // In a container that forbids add_key(2), the next test applies.
            return
        }
        #expect(try elsewhere("ck") == "locked")
        let store = try openStore(folder.location, passphrase: "right", cache: .kernelKeyring)
        let storeID = try store.storeID
        defer { FirstUnlockCache.kernelKeyring.forget(storeID: storeID, logger: CollectedLog().logger) }
        try insertForProbe(store)
        #expect(try elsewhere("ck") == "found 1")
        #expect(try elsewhere("ak") == "locked")
        #expect(try elsewhere("none") == "found 0")
        try store.lock()
        #expect(try elsewhere("ck") == "found 1")
    }

    @Test func runtimeFolder_keepsAfterFirstUnlockKeys() throws {
        let memory = try TemporaryFolder(in: "/dev/shm")
        let log = CollectedLog()
        let store = try openStore(
            folder.location, passphrase: "right", cache: .folder(memory.path), logger: log.logger)
        try insertForProbe(store)
        #expect(!log.text.contains("each process unlocks alone"))
        #expect(try elsewhere("ck", cache: memory.path) == "found 1")
        #expect(try elsewhere("ak", cache: memory.path) == "locked")
        let files = try FileManager.default.contentsOfDirectory(atPath: memory.path + "/secitem")
        #expect(files.count == 1)
        for file in files {
            let attributes = try FileManager.default.attributesOfItem(atPath: memory.path + "/secitem/" + file)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
    }

    @Test func runtimeFolder_onDisk_isNotUsed() throws {
        let log = CollectedLog()
        let store = try openStore(
            folder.location, passphrase: "right", cache: .folder(folder.path), logger: log.logger)
        #expect(try store.find(.password()).count == 3)
        #expect(log.lines.filter { $0.contains("each process unlocks alone") }.count == 1)
        #expect(RuntimeFolder(path: folder.path) == nil)
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/secitem/secitem"))
    }

    @Test func cachedKeys_ofNoUse_areNotUsed() throws {
        let memory = try TemporaryFolder(in: "/dev/shm")
        let store = try openStore(folder.location, passphrase: "right", cache: .folder(memory.path))
        #expect(try store.find(.password()).count == 3)
        let path =
            try memory.path + "/secitem/"
            + #require(FileManager.default.contentsOfDirectory(atPath: memory.path + "/secitem").first)
        var content = try Data(contentsOf: URL(fileURLWithPath: path))
        content[content.count - 1] ^= 1
        try content.write(to: URL(fileURLWithPath: path))
        #expect(try elsewhere("ck", cache: memory.path) == "locked")
        try Data("junk".utf8).write(to: URL(fileURLWithPath: path))
        #expect(try elsewhere("ck", cache: memory.path) == "locked")
    }
}

/// Failures that threads have found.
private final class Collected: Sendable {
    let lines = Mutex<[String]>([])
}

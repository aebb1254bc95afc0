// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore
import Synchronization
import TestSupport
import Testing

@testable import SecItemSQLite
@testable import SecItemSealing

/// When a store is made, when it is not, and how incomplete stores are treated.
@Suite struct MakingTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private var location: StoreLocation { folder.location }

    private func storeMadeWhenNeeded(
        _ location: StoreLocation? = nil, protector: any RootKeyProtector = KeyFileProtector(),
        others: [StoreLocation] = [], log: CollectedLog = CollectedLog()
    ) throws -> SQLiteStore {
        try SQLiteStore(
            madeWhenNeeded: location ?? self.location, protector: protector, others: others, cache: .none,
            logger: log.logger)
    }

    private var filesInParent: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path) }
    }

    // MARK: By the first add

    @Test func lookUpUpdateAndDelete_makeNothing() throws {
        let store = try storeMadeWhenNeeded(StoreLocation(folder: folder.path + "/a/b/secitem"))
        #expect(try store.find(.password()).isEmpty)
        #expect(try store.update(.password(), [.label: .string("x")]) == 0)
        #expect(try store.delete(.password()) == 0)
        #expect(!store.isLocked)
        #expect(!store.isPassphraseProtected)
        #expect(store.summary.contains("/a/b/secitem"))
        #expect(store.summary.contains("protected by the key file beside it"))
        let other = try storeMadeWhenNeeded(protector: PassphraseProtector(sources: [], cost: .lowest))
        #expect(other.summary.contains("protected by a passphrase") && other.isPassphraseProtected && other.isLocked)
        try store.lock()
        try store.unlock(passphrase: nil)
        #expect(try filesInParent == [])
    }

    /// A passphrase for a store without one is refused, before the store is made and afterwards.
    @Test func unlock_withAPassphraseThatTheStoreDoesNotHave_isRefused() throws {
        let store = try storeMadeWhenNeeded(StoreLocation(folder: folder.path + "/store"))
        for isMade in [false, true] {
            if isMade { try store.insert(.password(account: "a")) }
            for isLocked in [false, true] {
                if isLocked { try store.lock() }
                let error = #expect(throws: StoreError.self) {
                    try store.unlock(passphrase: Secret(Data("passphrase".utf8)))
                }
                #expect(error?.code == .unavailable && error?.message.contains("setPassphrase") == true)
                #expect(store.isLocked == isLocked && store.isOpen == isMade)
            }
            try store.unlock(passphrase: nil)
            #expect(!store.isLocked)
        }
        #expect(try store.find(.password(account: "a")).count == 1)
    }

    @Test func firstAdd_makesTheStore_forAllWhoLookedBefore() throws {
        let log = CollectedLog()
        let store = try storeMadeWhenNeeded(log: log), other = try storeMadeWhenNeeded()
        #expect(try other.find(.password()).isEmpty)
        try store.insert(.password())
        #expect(log.text.contains("A new keychain was created"))
        #expect(try store.find(.password()).count == 1)
        #expect(try other.find(.password()).count == 1)
        #expect(try storeMadeWhenNeeded().find(.password()).count == 1)
        #expect(try other.delete(.password()) == 1)
        #expect(try store.find(.password()).isEmpty)
    }

    /// A person is not asked if the call works without an answer, or if the caller forbids it.
    @Test func openingAStoreThatIsThere_asksOnlyWhereTheCallMay() throws {
        let calls: [(String, Bool, (SQLiteStore) throws -> Void)] = [
            ("isLocked", false, { _ = $0.isLocked }),
            ("unlock", true, { try $0.unlock(passphrase: nil) }),
            ("setPassphrase", true, { try $0.setPassphrase(nil, current: nil) }),
            ("insert", true, { try $0.insert(.password(account: "new"), interaction: .allowed) }),
            ("insert", false, { try $0.insert(.password(account: "new"), interaction: .forbidden) }),
            ("find", true, { _ = try $0.find(.password(), interaction: .allowed) }),
            ("find", false, { _ = try $0.find(.password(), interaction: .forbidden) }),
            ("find", false, { _ = try $0.find(.password(), interaction: .skipped) }),
            ("update", true, { _ = try $0.update([], interaction: .allowed) }),
            ("update", false, { _ = try $0.update([], interaction: .skipped) }),
            ("delete", true, { _ = try $0.delete([], interaction: .allowed) }),
            ("delete", false, { _ = try $0.delete([], interaction: .forbidden) }),
        ]
        try storeMadeWhenNeeded().insert(.password())
        for (name, mayAsk, call) in calls {
            let asked = Mutex<[Bool]>([])
            let isStarting = Mutex(true)
            let store = try SQLiteStore(
                madeWhenNeeded: location, protector: KeyFileProtector(),
                opening: { (mayAsk, open) throws(StoreError) in
                    if isStarting.withLock({ $0 }) { return }
                    asked.withLock { $0.append(mayAsk) }
                    if !mayAsk { throw StoreError(.locked, "nobody may be asked") }
                    try open()
                }, mayAsk: false, cache: .none, logger: CollectedLog().logger)
            isStarting.withLock { $0 = false }
            try? call(store)
            #expect(asked.withLock { $0 } == [mayAsk], "\(name)")
        }
    }

    @Test func manyThreads_makeOneStore() throws {
        let store = try storeMadeWhenNeeded()
        let threads = (0..<8).map { number in Worker { try? store.insert(.password(account: "\(number)")) } }
        for thread in threads { thread.join() }
        #expect(try store.find(.password()).count == 8)
    }

    @Test func storeLockedBeforeItWasMade_isLocked() throws {
        let source = PassphraseSource.closure { Secret(Data("right".utf8)) }
        let store = try storeMadeWhenNeeded(protector: PassphraseProtector(sources: [source], cost: .lowest))
        #expect(store.isPassphraseProtected)
        try store.lock()
        expect(.locked) { try store.insert(.password()) }
        try store.unlock(passphrase: Secret(Data("right".utf8)))
        try store.insert(.password())
        #expect(try store.find(.password()).count == 1)
    }

    /// A lock asks nobody, and holds when the store is opened later.
    @Test func lockBeforeOpening_holds() throws {
        let protector = PassphraseProtector(
            sources: [.closure { Secret(Data("right".utf8)) }], cost: .lowest)
        try storeMadeWhenNeeded(protector: protector).insert(.password())
        let isStarting = Shared(true), opened = Shared(0)
        let store = try SQLiteStore(
            madeWhenNeeded: location, protector: protector,
            opening: { (_, open) throws(StoreError) in
                if isStarting.value { return }
                opened.change { $0 += 1 }
                try open()
            }, mayAsk: false, cache: .none, logger: CollectedLog().logger)
        isStarting.change { $0 = false }
        try store.lock()
        #expect(opened.value == 0)
        expect(.locked) { _ = try store.find(.password()) }
        #expect(opened.value == 1)
        try store.unlock(passphrase: Secret(Data("right".utf8)))
        #expect(try store.find(.password()).count == 1)
    }

    @Test func newStore_asksNobody_whereNobodyMayBeAsked() throws {
        let asked = Shared(0)
        let source = PassphraseSource.closure {
            asked.change { $0 += 1 }
            return Secret(Data("right".utf8))
        }
        let store = try storeMadeWhenNeeded(protector: PassphraseProtector(sources: [source], cost: .lowest))
        #expect(try store.find(.password(), interaction: .forbidden).isEmpty)
        for interaction in [Interaction.forbidden, .skipped] {
            expect(.locked) { try store.insert(.password(), interaction: interaction) }
        }
        #expect(asked.value == 0)
        #expect(try filesInParent == [])
        try store.insert(.password(), interaction: .allowed)
        #expect(asked.value > 0)
    }

    @Test func newStoreBesideAnotherOne_warns() throws {
        let other = StoreLocation(folder: folder.path + "/other")
        try openStore(other).insert(.password())
        let log = CollectedLog()
        // Two of the places may be one.
        let store = try storeMadeWhenNeeded(others: [other, location, other], log: log)
        try store.insert(.password())
        let warnings = log.lines.count { $0.hasPrefix("warning:") && $0.contains(other.databasePath) }
        #expect(warnings == 1, "\(log.text)")
        // The warning is not repeated, and does not appear if this is the only store.
        let quiet = CollectedLog()
        try storeMadeWhenNeeded(others: [other], log: quiet).insert(.password(account: "b"))
        try storeMadeWhenNeeded(
            StoreLocation(folder: folder.path + "/third"), others: [StoreLocation(folder: folder.path + "/none")],
            log: quiet
        ).insert(.password())
        #expect(!quiet.text.contains("warning:"), "\(quiet.text)")
    }

    // MARK: Halves

    @Test(arguments: [true, false]) func missingDatabase_isNotMadeAnew(_ whenNeeded: Bool) throws {
        try openStore(location).insert(.password())
        for suffix in ["", "-wal", "-shm"] { unlink(location.databasePath + suffix) }
        let before = try location.contents()
        #expect(before.keys.sorted() == ["device.key"])
        let log = CollectedLog()
        do {
            if whenNeeded {
                _ = try storeMadeWhenNeeded(log: log)
            } else {
                _ = try openStore(location, logger: log.logger)
            }
            Issue.record("a new store in place of one that lost its database")
        } catch let error as StoreError {
            #expect(error.code == .corrupt)
            // The message names the remedy.
            #expect(error.message.contains("backup") && error.message.contains(location.keyFilePath), "\(error)")
        }
        #expect(log.lines.contains { $0.hasPrefix("error:") && $0.contains("backup") }, "\(log.text)")
        #expect(try location.contents() == before)
    }

    /// If a process dies at any point while it makes a store, the next process can continue.
    @Test func makerThatDied_harmsNobody() throws {
        var isFinished = false
        var point = 0
        while !isFinished && point < 100 {
            point += 1
            let folder = try TemporaryFolder()
            let maker = try Program.built(
                "StoreProbe", ["make", folder.location.folder],
                adding: ["PROBE_COUNTS_SYNCS": "1", "PROBE_DIE_AT_SYNC": "\(point)"])
            let end = try maker.run()
            isFinished = end.status == 0
            #expect(isFinished || end.status == 9, "\(end)")
            let store = try openStore(folder.location)
            try store.insert(.password())
            #expect(try openStore(folder.location).find(.password()).count == 1)
            let left = try folder.location.contents().keys.filter { $0.hasSuffix(".new") }
            #expect(left.isEmpty, "after \(point): \(left)")
        }
        // The process died at several different points.
        #expect(isFinished && point > 4, "\(point)")
    }

    @Test func keyFileThatWaitsForItsName_getsIt() throws {
        try openStore(location).insert(.password())
        try FileManager.default.moveItem(atPath: location.keyFilePath, toPath: location.unfinishedKeyFilePath)
        let store = try openStore(location)
        #expect(try store.find(.password()).count == 1)
        #expect(FileManager.default.fileExists(atPath: location.keyFilePath))
    }

    @Test func keyFileOfAnotherStore_getsNoName() throws {
        try openStore(location).insert(.password())
        let other = try TemporaryFolder()
        _ = try openStore(other.location)
        try FileManager.default.removeItem(atPath: location.keyFilePath)
        try FileManager.default.copyItem(atPath: other.location.keyFilePath, toPath: location.unfinishedKeyFilePath)
        expect(.corrupt) { _ = try openStore(location) }
        #expect(!FileManager.default.fileExists(atPath: location.keyFilePath))
    }

    @Test func folderReplacedWhileOpen_isAnError_neverTheOldItems() throws {
        let store = try openStore(location)
        try store.insert(.password())
        let parent = folder.path
        try FileManager.default.moveItem(atPath: location.folder, toPath: parent + "/away")
        mkdir(location.folder, 0o700)
        expect(.unavailable) { _ = try store.find(.password()) }
        expect(.unavailable) { try store.insert(.password(account: "b")) }
        expect(.unavailable) { try store.delete(.password()) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: location.folder).isEmpty)
    }

    // MARK: Network

    @Test func networkFolder_isRefused_unlessSomebodyInsists() throws {
        let log = CollectedLog()
        try FileSystem.$assumed.withValue(FileSystem(number: 0x6969) { nil }) {
            expect(.unavailable) { _ = try openStore(location, logger: log.logger) }
            _ = try openStore(StoreLocation(folder: location.folder, mayBeOnNetwork: true))
        }
        #expect(log.text.contains("network file system (nfs)") && log.text.contains("SECITEM_DIRECTORY"), "\(log.text)")
        _ = try openStore(location)
    }

    @Test(
        arguments: [
            (0x6969, nil, "nfs"), (0xff53_4d42, nil, "cifs"), (0xfe53_4d42, nil, "smb2"), (0x0102_1997, nil, "9p"),
            (0x6573_5546, "fuse.sshfs", "fuse.sshfs"), (0x6573_5546, "fuse.gocryptfs", nil),
            (0x6573_5546, "fuseblk", nil),
            (0x6573_5546, nil, nil), (0xef53, nil, nil), (0x0102_1994, "tmpfs", nil), (0x9123_683e, nil, nil),
            (0x794c_7630, "overlay", nil),
        ] as [(UInt32, String?, String?)]) func fileSystem_isOnNetwork(
            _ number: UInt32, _ type: String?, _ name: String?
        )
    {
        #expect(FileSystem(number: number) { type }.networkName == name)
    }

    @Test func fileSystem_ofThisMachine_isKnown() throws {
        let descriptor = open("/proc", O_RDONLY)
        defer { close(descriptor) }
        let system = try FileSystem(ofFolder: descriptor, path: "/proc")
        #expect(system.number == 0x9fa0)
        #expect(system.mountType() == "proc")
        #expect(system.networkName == nil)
    }
}

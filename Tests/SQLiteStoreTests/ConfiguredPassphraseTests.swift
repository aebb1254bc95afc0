// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore
import TestSupport
import Testing

@testable import SecItemSQLite
@testable import SecItemSealing

/// If a passphrase is configured, the store uses it, or each call fails and says why.
@Suite struct ConfiguredPassphraseTests {
    private let folder: TemporaryFolder
    private let log = CollectedLog()
    private let file: String

    init() throws {
        folder = try TemporaryFolder()
        file = folder.path + "/passphrase"
    }

    private func secret(_ text: String) -> Secret { Secret(Data(text.utf8)) }

    private func write(_ text: String, mode: mode_t = 0o600) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: file))
        chmod(file, mode)
    }

    private func open(_ source: PassphraseSource, cache: FirstUnlockCache = .none) throws -> SQLiteStore {
        try SQLiteStore(
            location: folder.location, protector: PassphraseProtector(sources: [source], cost: .lowest), cache: cache,
            logger: log.logger)
    }

    // MARK: A store without one

    /// Expects that every way to use an item is refused.
    private func expectRefusal(_ store: SQLiteStore, sourceLocation: SourceLocation = #_sourceLocation) {
        expect(.unavailable, sourceLocation: sourceLocation) { try store.insert(.password(account: "new")) }
        for interaction in [Interaction.allowed, .forbidden, .skipped] {
            expect(.unavailable, sourceLocation: sourceLocation) {
                _ = try store.find(.password(), interaction: interaction)
            }
        }
        expect(.unavailable, sourceLocation: sourceLocation) {
            try store.update(.password(), [.label: .string("x")])
        }
        expect(.unavailable, sourceLocation: sourceLocation) { try store.delete(.password()) }
        expect(.unavailable, sourceLocation: sourceLocation) { try store.unlock(passphrase: nil) }
        expect(.unavailable, sourceLocation: sourceLocation) { try store.unlock(passphrase: secret("right")) }
        #expect(store.isLocked && !store.isPassphraseProtected, sourceLocation: sourceLocation)
    }

    private func sources() throws -> [PassphraseSource] {
        try write("right")
        return [.file(path: file), .closure { Secret(Data("right".utf8)) }]
    }

    @Test func storeWithoutPassphrase_isRefused_untilItHasOne() throws {
        let plain = try openStore(folder.location)
        try plain.insert(.password(account: "a"))
        try plain.insert(.password(account: "always", accessible: .always))
        for source in try sources() {
            let store = try open(source)
            expectRefusal(store)
            // Not even after lock and unlock.
            try store.lock()
            expectRefusal(store)
            #expect(store.summary.contains("not used"))
        }
        #expect(log.text.contains("error: The keychain lacks the configured protection"))
        #expect(log.text.contains("LinuxKeychain.setPassphrase"))
        // Nothing has happened meanwhile.
        #expect(Set(try openStore(folder.location).find(.password()).map(\.accountName)) == ["a", "always"])

        let store = try open(.file(path: file))
        try store.setPassphrase(secret("right"), cost: .lowest)
        #expect(store.isPassphraseProtected && !store.isLocked)
        #expect(try store.find(.password()).count == 2)
        #expect(try open(.file(path: file)).find(.password()).count == 2)
        #expect(!store.summary.contains("not used"))
    }

    /// With another path, the passphrase may be that of another keychain: the file counts first.
    @Test func storeWithoutPassphrase_namesTheFileThatIsMissing() throws {
        try openStore(folder.location).insert(.password(account: "a"))
        let store = try open(.file(path: file))
        let error = #expect(throws: StoreError.self) { try store.find(.password()) }
        #expect(error?.code == .unavailable)
        #expect(error?.message.hasPrefix("the passphrase file \(file): No such file or directory") == true)
        #expect(error?.message.contains("security set-keychain-password") == true)
        #expect(log.text.contains("No such file or directory"))
        try write("right")
        let other = #expect(throws: StoreError.self) { try open(.file(path: file)).find(.password()) }
        #expect(other?.message.hasPrefix("a passphrase is configured, but this keychain has no passphrase") == true)
    }

    @Test func refusedStore_isUsed_onceAnotherProcessHasSetThePassphrase() throws {
        try openStore(folder.location).insert(.password(account: "a"))
        for source in try sources() {
            let store = try open(source)
            expectRefusal(store)
            try openStore(folder.location).setPassphrase(secret("right"), cost: .lowest)
            #expect(try store.find(.password()).map(\.accountName) == ["a"])
            try openStore(folder.location).setPassphrase(nil, current: secret("right"))
        }
    }

    @Test func passphraseTakenAway_whereOneIsAskedFor_isRefused() throws {
        try write("right")
        let store = try open(.file(path: file))
        try store.insert(.password())
        try store.setPassphrase(nil, current: secret("right"))
        expectRefusal(store)
        // A program without a configured passphrase can use the store.
        #expect(try openStore(folder.location).find(.password()).count == 1)
    }

    // MARK: A store with one, and none configured

    /// Whoever only sees that the store is locked learns what is missing, once. After ``SQLiteStore/lock()`` that is wanted.
    @Test(arguments: [Interaction.allowed, .forbidden]) func missingPassphrase_isSaidOnce(
        _ interaction: Interaction
    ) throws {
        let first = try openStore(folder.location)
        try first.insert(.password())
        try first.setPassphrase(secret("right"), cost: .lowest)
        let store = try openStore(folder.location, logger: log.logger)
        try store.lock()
        expect(.locked) { _ = try store.find(.password(), interaction: interaction) }
        #expect(log.lines.isEmpty, "\(log.text)")
        let other = try openStore(folder.location, logger: log.logger)
        for _ in 0..<3 { expect(.locked) { _ = try other.find(.password(), interaction: interaction) } }
        #expect(log.lines.count == 1 && log.text.hasPrefix("notice: The keychain has a passphrase"), "\(log.text)")
        #expect(log.text.contains("SECITEM_PASSPHRASE_FILE") && log.text.contains(folder.location.folder))
    }

    // MARK: Keys that wait for others

    private func withCache(_ body: (FirstUnlockCache) throws -> Void) throws {
        let memory = try TemporaryFolder(in: "/dev/shm")
        let cache = FirstUnlockCache.folder(memory.path)
        try write("right")
        let store = try open(.file(path: file), cache: cache)
        try store.insert(.password(account: "ck", accessible: .afterFirstUnlock))
        try store.insert(.password(account: "dk", accessible: .always))
        // The cached keys give a process without a passphrase access to items of the classes since the first unlock.
        #expect(try open(.closure { nil }, cache: cache).find(.password(account: "ck")).count == 1)
        try body(cache)
    }

    @Test func cachedKeys_andTheSameFile_areUsedWithoutAnyDerivation() throws {
        try withCache { cache in
            let store = try open(.file(path: file), cache: cache)
            #expect(try store.find(.password(account: "ck"), interaction: .forbidden).count == 1)
            // The passphrase was not needed, so no time was spent on it.
            #expect(store.isLocked)
        }
    }

    @Test func cachedKeys_andAnotherFileOfTheSameContent_areUsed_afterUnlocking() throws {
        try withCache { cache in
            try FileManager.default.removeItem(atPath: file)
            try write("right")
            let store = try open(.file(path: file), cache: cache)
            #expect(try store.find(.password(account: "ck")).count == 1)
            #expect(!store.isLocked)
            // From then on, this file is the known one.
            let next = try open(.file(path: file), cache: cache)
            #expect(try next.find(.password(account: "ck")).count == 1)
            #expect(next.isLocked)
        }
    }

    /// Each version of the file is tried once, until one is right.
    @Test func wrongFile_putRight_isReadAgain() throws {
        try write("right")
        let source = PassphraseSource.file(path: file)
        do { try open(source).insert(.password(account: "a")) }
        try write("a wrong one")
        let store = try open(source)
        for content in ["a wrong one", "another", "another one"] {
            // Writes the content into the same file, and into a new file that replaces it.
            try write(content)
            for _ in 0..<2 { expect(.authenticationFailed) { _ = try store.find(.password(account: "a")) } }
            rename(file, file + ".before")
            try write(content + "!")
            for _ in 0..<2 { expect(.authenticationFailed) { _ = try store.find(.password(account: "a")) } }
        }
        #expect(log.lines.filter { $0.contains("does not open") }.count == 6)
        try write("right")
        #expect(try store.find(.password(account: "a")).count == 1)
        #expect(!store.isLocked)
    }

    private static let useless: [(content: String?, code: StoreError.Code)] = [
        ("wrong", .authenticationFailed), ("", .authenticationFailed), ("\n", .authenticationFailed),
        (nil, .unavailable),
    ]

    @Test(arguments: useless) func cachedKeys_andAFileOfNoUse_areNotUsed(
        _ content: String?, _ code: StoreError.Code
    ) throws {
        try withCache { cache in
            if let content { try write(content) } else { try FileManager.default.removeItem(atPath: file) }
            let store = try open(.file(path: file), cache: cache)
            for _ in 0..<2 {
                expect(code) { _ = try store.find(.password(account: "ck")) }
                expect(code) { try store.update(.password(account: "ck"), [.label: .string("x")]) }
            }
            // Calls that need no passphrase work.
            #expect(try store.find(.password(service: "service", account: "dk"), limit: 1).count == 1)
            #expect(log.text.contains(file))
            #expect(log.text.contains("error:"))
        }
    }

    @Test func cachedKeys_andAPassphraseChangedElsewhere_areNotUsedWithTheOldFile() throws {
        try withCache { cache in
            try openStore(folder.location, passphrase: "right")
                .setPassphrase(secret("new"), current: secret("right"), cost: .lowest)
            let store = try open(.file(path: file), cache: cache)
            expect(.authenticationFailed) { _ = try store.find(.password(account: "ck")) }
        }
    }

    // MARK: The file

    @Test(arguments: [0o604, 0o640, 0o620, 0o602, 0o666, 0o644] as [mode_t])
    func ownFile_thatOthersGetAt_isRefused(_ mode: mode_t) throws {
        try write("right")
        try open(.file(path: file)).insert(.password())
        // The files belong to an ordinary user even if root runs the tests, because root's own files have other rules.
        chmod(file, mode)
        expect(.unavailable) { _ = try open(.file(path: file)).find(.password()) }
        #expect(log.text.contains(file))
        chmod(file, 0o400)
        #expect(try open(.file(path: file)).find(.password()).count == 1)
    }

    /// The rule for owner, mode, place and reader.
    @Test func file_isReadByThoseItIsMeantFor() {
        func isRead(_ owner: uid_t, _ mode: mode_t, by user: uid_t, inMemory: Bool, kind: mode_t = S_IFREG) -> Bool {
            var status = stat()
            status.st_uid = owner
            status.st_mode = kind | mode
            return SecretFile.refusal(status, user: user, isInMemory: inMemory) == nil
        }
        for inMemory in [false, true] {
            for user in [0, 1000] as [uid_t] {
                // A user's own file, readable only by that user.
                #expect(isRead(user, 0o600, by: user, inMemory: inMemory))
                #expect(isRead(user, 0o400, by: user, inMemory: inMemory))
                // A file of root's without rights for others: a credential of systemd.
                #expect(isRead(0, 0o400, by: user, inMemory: inMemory))
                // Another user's file is never read.
                #expect(!isRead(1001, 0o600, by: user, inMemory: inMemory))
                #expect(!isRead(65_534, 0o444, by: user, inMemory: inMemory))
                // A file that others may write is never read.
                for mode in [0o620, 0o602, 0o622, 0o666] as [mode_t] {
                    #expect(!isRead(0, mode, by: user, inMemory: inMemory))
                    #expect(!isRead(user, mode, by: user, inMemory: inMemory))
                }
                for kind in [S_IFIFO, S_IFCHR, S_IFDIR, S_IFSOCK] {
                    #expect(!isRead(user, 0o600, by: user, inMemory: inMemory, kind: kind))
                }
            }
            for mode in [0o640, 0o644, 0o604] as [mode_t] {
                #expect(!isRead(1000, mode, by: 1000, inMemory: inMemory))
            }
            // A file of root's for the group of a service.
            #expect(isRead(0, 0o440, by: 1000, inMemory: inMemory))
            #expect(isRead(0, 0o640, by: 1000, inMemory: inMemory))
        }
        // Docker (0444), Kubernetes (0644, or 0440 and 0640 with a group): root's, in a tmpfs.
        for mode in [0o444, 0o644, 0o440, 0o640] as [mode_t] {
            for user in [0, 1000, 1_000_660_000] as [uid_t] { #expect(isRead(0, mode, by: user, inMemory: true)) }
        }
        for mode in [0o444, 0o644] as [mode_t] {
            for user in [0, 1000] as [uid_t] { #expect(!isRead(0, mode, by: user, inMemory: false)) }
        }
    }

    @Test func linkToAFile_isFollowed() throws {
        try write("right")
        let link = folder.path + "/link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file)
        try open(.file(path: link)).insert(.password())
        #expect(try open(.file(path: file)).find(.password()).count == 1)
    }

    /// Nobody writes to the pipe, so a program that read it like a file would wait forever.
    @Test(.timeLimit(.minutes(60))) func pipe_deviceAndFolder_areRefusedAtOnce() throws {
        try write("right")
        try open(.file(path: file)).insert(.password())
        let pipe = folder.path + "/pipe"
        #expect(mkfifo(pipe, 0o600) == 0)
        for path in [pipe, "/dev/zero", "/dev/null", folder.path, folder.path + "/missing", file + "/below"] {
            let store = try open(.file(path: path))
            expect(.unavailable) { _ = try store.find(.password()) }
            expect(.unavailable) { try store.unlock(passphrase: nil) }
            let other = try TemporaryFolder()
            let protector = PassphraseProtector(sources: [.file(path: path)])
            expect(.unavailable) {
                _ = try SQLiteStore(
                    location: other.location, protector: protector, cache: .none, logger: log.logger)
            }
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemConformance
import SecItemStore
import TestSupport
import Testing

@testable import SecItemSQLite
@testable import SecItemSealing

/// A folder that has not changed for a while, so that one `stat` shows whether its files are the same.
@Suite struct FolderStateTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Waits until another change would have a different time.
    private func waitUntilQuiet() {
        while FolderState(of: folder.location.folder) == nil { usleep(100_000) }
    }

    @Test func state_isNothing_whereItCannotTell() throws {
        _ = try openStore(folder.location)
        #expect(FolderState(of: folder.location.folder) == nil)
        #expect(FolderState(of: folder.path + "/none") == nil)
    }

    @Test(.timeLimit(.minutes(60))) func filesTakenAwayOrReplaced_afterAQuietTime_areNoticed() throws {
        let location = folder.location
        let store = try openStore(location)
        try store.insert(.password(account: "a"))
        waitUntilQuiet()
        let quiet = try #require(FolderState(of: location.folder))
        for _ in 0..<3 { #expect(try store.find(.password(account: "a")).count == 1) }
        // Neither look-ups nor writes change the folder.
        try store.insert(.password(account: "b"))
        #expect(FolderState(of: location.folder) == quiet)
        // Without the log that the open store uses, another process would write to another log.
        for end in ["-wal", "-shm"] { unlink(location.databasePath + end) }
        let other = try openStore(location)
        try other.insert(.password(account: "c"))
        #expect(try store.find(.password()).compactMap(\.accountName) == ["a", "b", "c"])
        waitUntilQuiet()
        for _ in 0..<3 { #expect(try store.find(.password()).count == 3) }
        try FileManager.default.copyItem(atPath: location.databasePath, toPath: location.databasePath + ".copy")
        #expect(rename(location.databasePath + ".copy", location.databasePath) == 0)
        expect(.unavailable) { _ = try store.find(.password()) }
        expect(.unavailable) { try store.insert(.password(account: "d")) }
    }

    /// Cached blinds are those of the value, attribute and class, with any number of threads.
    @Test func keptBlinds_areThoseThatWouldBeWorkedOut() throws {
        let keys = try MetadataKeys(Secret.randomKey())
        var random = SeededGenerator()
        for _ in 0..<2_000 {
            let number = Int64.random(in: 0..<40, using: &random)
            let value = (number < 20 ? AttributeValue.integer(number) : .string("\(number)")).matchKey
            let attribute = try #require([ItemAttribute.synchronizable, .accessGroup].randomElement(using: &random))
            let itemClass = try #require(ItemClass.stored.randomElement(using: &random))
            #expect(
                try keys.lastingBlind(value, of: attribute, in: itemClass)
                    == keys.blind(value, of: attribute, in: itemClass))
        }
    }
}

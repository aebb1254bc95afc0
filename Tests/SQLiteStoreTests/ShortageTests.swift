// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore
import TestSupport
import Testing

@testable import SecItemSQLite

/// A shortage of a resource gives an error status. Without randomness, no two values become the same.
@Suite struct ShortageTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func probe(_ command: String, _ argument: String = "") throws -> FinishedProgram {
        try Program.built("StoreProbe", [command, folder.location.folder, argument]).run()
    }

    // MARK: Randomness

    @Test(.enabled(if: geteuid() == 0, "only root may change its root")) func withoutDev_idsDiffer() throws {
        mkdir(folder.location.folder, 0o700)
        let lines = try probe("empty-root").lines
        #expect(lines.count == 2 && Set(lines).count == 2, "\(lines)")
        #expect(!lines.contains { $0.hasPrefix("00000000-0000") }, "\(lines)")
    }

    @Test func randomBytes_haveEveryLengthAndDiffer() {
        for count in 0...40 { #expect(RandomBytes.bytes(count).count == count) }
        #expect(Set((0..<1_000).map { _ in RandomBytes.bytes(16) }).count == 1_000)
        // Each bit of each byte is set in some values and clear in others.
        for index in 0..<19 {
            let bytes = (0..<200).map { _ in RandomBytes.bytes(19)[index] }
            #expect(bytes.reduce(0, |) == 0xff && bytes.reduce(0xff, &) == 0)
        }
        for _ in 0..<100 {
            let uuid = RandomBytes.uuid().uuid
            #expect(uuid.6 >> 4 == 4 && uuid.8 >> 6 == 2)
        }
        #expect(RandomBytes.name().count == 32)
    }

    /// Foundation's `UUID()` returns the same value each time if it cannot open /dev/urandom.
    @Test func sources_takeRandomnessFromTheKernel() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Sources")
        let files = try #require(FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil))
        let forbidden = try Regex(#"\bUUID\(\)|urandom"|\barc4random|\bdrand48"#)
        var count = 0
        for case let url as URL in files where url.pathExtension == "swift" {
            // Cases of the conformance suite may set any value.
            if url.path.contains("/SecItemConformance/") { continue }
            count += 1
            for line in try String(contentsOf: url, encoding: .utf8).components(separatedBy: "\n") {
                let code = line.trimmingCharacters(in: .whitespaces)
                if code.hasPrefix("//") { continue }
                #expect(code.firstMatch(of: forbidden) == nil, "\(url.lastPathComponent): \(code)")
            }
        }
        #expect(count > 100)
    }

    // MARK: Descriptors

    @Test func noDescriptorsLeft_isAStatusOfEveryVerb() throws {
        let end = try probe("no-descriptors")
        #expect(
            end.lines == [
                // Opening the store has opened what a look-up needs.
                "ids differ: true", "verbs: unavailable done unavailable unavailable unavailable",
                "openings: unavailable unavailable", "after: 1",
            ], "\(end)")
    }

    // MARK: Room

    @Test(arguments: [100_000, 200_000, 400_000]) func fileSizeLimit_isFull_andLosesNothing(_ limit: Int) throws {
        let end = try probe("size-limit", "\(limit)")
        #expect(end.lines == ["full true"], "\(end)")
        #expect(try openStore(folder.location).find(.password(service: "probe")).isEmpty == false)
    }

    @Test(arguments: [0, 10, 3_000, 4_096, 9_000, 20_000, 28_000])
    func fileSizeLimit_noNewStore(_ limit: Int) throws {
        let end = try probe("size-limit", "\(limit)")
        #expect(end.lines == ["opening: full"], "\(end)")
        #expect(try folder.location.contents().isEmpty)
    }

    /// Beyond the user's quota: while a change is written, and while it would be moved from the log into the database.
    @Test(arguments: ["items.db-wal", "items.db"]) func quota_isFull_orHoldsUpTheCheckpointOnly(_ name: String) throws {
        let isOfDatabase = name == "items.db"
        let end = try probe("quota", name)
        #expect(end.lines == (isOfDatabase ? ["done 2", "refused", "3"] : ["full 1", "refused", "2"]), "\(end)")
        let accounts = try openStore(folder.location).find(.password(service: "probe")).compactMap(\.accountName)
        #expect(accounts == (isOfDatabase ? ["before", "meanwhile", "after"] : ["before", "after"]))
    }

    @Test(arguments: [ENOSPC, EDQUOT, EFBIG]) func noRoom_isFull_whateverTheSystemCallsIt(_ number: Int32) {
        #expect(StoreError(writingFailed: "path", errno: number).code == .full)
        #expect(StoreError(sqlite: 10 | 3 << 8, systemError: number).code == .full)
        #expect(StoreError(sqlite: 14, systemError: number).code == .full)
    }

    /// No call leaves a file open, whether it succeeds or fails.
    @Test func calls_leaveNoFileOpen() throws {
        let lines = try probe("count-descriptors").lines
        #expect(lines.count == 5 && Set(lines.dropFirst()).count == 1, "\(lines)")
    }

    // MARK: Row numbers

    /// Somebody who can write the file, but has no key, uses the highest row numbers.
    @Test(
        arguments: [
            [.max], [.max - 1, .max], [1 << 53, 1 << 62, .max], [(1 << 53) - 1], [-1, .min, .max], [3, .max],
            [3, 4, 5, 1 << 53],
        ] as [[Int64]])
    func greatRowNumbers_blockNoAdd(_ numbers: [Int64]) throws {
        let store = try openStore(folder.location)
        for account in ["a", "b"] { try store.insert(.password(account: account)) }
        try store.connection.write { database in
            for number in numbers {
                try database.run(
                    """
                    INSERT INTO item SELECT ?1, class, randomblob(16), accessible, randomblob(16), slots, nonces,
                        code, attributes, secrets FROM item WHERE id = 1
                    """, [.integer(number)])
            }
        }
        for account in ["c", "d", "e"] { try store.insert(.password(account: account)) }
        #expect(try store.find(.password()).map(\.accountName) == ["a", "b", "c", "d", "e"])
        try store.insert(.password(account: "f", accessible: .always))
        #expect(try store.find(.password(account: "f")).count == 1)
    }
}

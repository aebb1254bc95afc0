// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore
import TestSupport
import Testing

@testable import SecItemSQLite

/// Programs that close descriptors under a store's feet. What was reported as stored is there, and nothing else is harmed.
@Suite struct LostDescriptorTests {
    private static let closed = ["0", "1", "2", "01", "02", "12", "012"]

    /// What a program prints after it has gone into the background reaches none of the store's files.
    @Test(arguments: closed)
    func standardDescriptorsThatAreClosed_areNotTheStores(_ closed: String) throws {
        let folder = try TemporaryFolder()
        try openStore(folder.location).insert(.password(service: "probe", account: "first"))
        let key = try Data(contentsOf: URL(fileURLWithPath: folder.location.keyFilePath))
        let probe = try Program.built("StoreProbe", ["closed-standard", folder.location.folder, closed]).run()
        #expect(probe.lines.suffix(1) == ["done done false"], "\(probe.lines) \(probe.errors)")
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.location.keyFilePath)) == key)
        let store = try openStore(folder.location)
        try store.verify()
        #expect(try store.find(.password()).count == 2)
    }

    /// Whichever file the program closes by mistake, and whether or not its own next file has that number.
    @Test func filesThatTheProgramCloses_loseNothingInSilence() throws {
        let counting = try TemporaryFolder()
        let line = try Program.built("StoreProbe", ["lost-files", counting.location.folder, "count"]).run().lines.last
        let count = try #require(line?.split(separator: " ").last.flatMap { Int($0) })
        #expect(count >= 4)
        var kept: [String] = []
        for lost in (0..<count).map(String.init) + ["all"] {
            for use in ["closed", "reused"] {
                try expectNothingLost(lost, use, &kept)
            }
        }
        // Only what SQLite opens anew by itself may go: not the database, its log or the key file.
        #expect(kept.count <= 2 * (count - 4), "\(kept) of \(count)")
    }

    private func expectNothingLost(_ lost: String, _ use: String, _ kept: inout [String]) throws {
        let folder = try TemporaryFolder()
        let probe = try Program.built("StoreProbe", ["lost-files", folder.location.folder, "\(lost) \(use)"]).run()
        #expect(probe.status == 0 && probe.lines.last == "own true", "\(lost) \(use): \(probe.lines) \(probe.errors)")
        let ends = probe.lines.dropLast().map { $0.split(separator: " ").last }
        #expect(Set(ends).count == 1 && ["done", "unavailable"].contains(ends[0]), "\(lost) \(use): \(ends)")
        if lost == "all" { #expect(ends.first == "unavailable") }
        if ends.first == "done" { kept.append("\(lost) \(use)") }
        let store = try openStore(folder.location)
        try store.verify()
        let found = try store.find(.password()).compactMap { $0.attributes[.account]?.string }
        #expect(found.contains("before"), "\(lost) \(use)")
        for line in probe.lines where line.hasSuffix(" done") {
            #expect(found.contains { line == "\($0) done" }, "\(lost) \(use): \(line)")
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore
import TestSupport
import Testing

@testable import SecItemSQLite

/// Look-ups of so many rows that two threads read them.
@Suite struct ManyRowsTests {
    private let folder: TemporaryFolder
    private let store: SQLiteStore
    private let log = CollectedLog()
    /// Several full batches, and one that is not full.
    private static let count = 500

    init() throws {
        folder = try TemporaryFolder()
        store = try openStore(folder.location, passphrase: "right", logger: log.logger)
        let records = (0..<Self.count).map { number in
            ItemRecord.password(
                account: "\(number)", accessible: number.isMultiple(of: 3) ? .always : .whenUnlocked,
                secret: number.isMultiple(of: 7) ? nil : Self.secret(number),
                // Some rows are larger than a batch.
                more: number.isMultiple(of: 200) ? [.generic: .data(Data(count: 100_000))] : [:])
        }
        try store.insert(records, interaction: .allowed)
    }

    private static func secret(_ number: Int) -> Data { Data("secret \(number)".utf8) }

    private func accounts(_ parts: RecordParts = .attributes, limit: Int? = nil) throws -> [Int] {
        try store.find(.password(service: "service"), parts, limit: limit).compactMap {
            $0.accountName.flatMap(Int.init)
        }
    }

    /// Records do not depend on the number of rows, nor on which thread reads them when.
    @Test func allRows_comeWhole_andInTheirOrder() throws {
        let found = try store.find(.password(service: "service"))
        #expect(found.map(\.accountName) == (0..<Self.count).map(String.init))
        for (number, record) in found.enumerated() {
            #expect(record.secretData == (number.isMultiple(of: 7) ? nil : Self.secret(number)))
            #expect(record.attributes[.service]?.string == "service")
            #expect(record.attributes.count == (number.isMultiple(of: 200) ? 10 : 9))
        }
        for limit in [1, 63, 64, 65, 128, 129, 499] {
            #expect(try accounts(limit: limit) == Array(0..<limit))
        }
        let secrets = try store.find(.password(service: "service"), .secrets)
        #expect(secrets.map(\.secretData) == found.map(\.secretData))
        #expect(secrets.allSatisfy { $0.attributes.isEmpty })
    }

    /// The first thread that uses an attribute decodes it. All threads get the same value.
    @Test func unreadAttributes_readByManyThreads_areTheSame() throws {
        let found = try store.find(.password(service: "service"))
        let names = Shared(Set<[String?]>())
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            let own = found.map(\.accountName)
            names.change { $0.insert(own) }
        }
        #expect(names.value == [(0..<Self.count).map(String.init)])
    }

    /// A damaged row is left out wherever it is, and is logged.
    @Test(arguments: ["code", "nonces", "attributes", "secrets"])
    func damagedRows_areLeftOut_andTheOthersStay(_ column: String) throws {
        let damaged = [0, 62, 63, 64, 127, 128, 191, 333, 499].filter { !$0.isMultiple(of: 7) || column != "secrets" }
        for number in damaged {
            try store.connection.write {
                try $0.execute("UPDATE item SET \(column) = randomblob(length(\(column))) WHERE id = \(number + 1)")
            }
        }
        let parts: RecordParts = column == "secrets" ? [.attributes, .secrets] : .attributes
        let expected = (0..<Self.count).filter { !damaged.contains($0) }
        #expect(try accounts(parts) == expected)
        for number in damaged { #expect(log.text.contains("item \(number + 1) ")) }
    }

    /// A locked row among many makes the look-up fail, or is left out if the caller asks for that.
    @Test func lockedRows_failTheLookUp_orAreLeftOut() throws {
        try store.lock()
        expect(.locked) { _ = try store.find(.password(service: "service"), interaction: .forbidden) }
        let found = try store.find(.password(service: "service"), interaction: .skipped)
        #expect(
            found.compactMap { $0.accountName.flatMap(Int.init) } == (0..<Self.count).filter { $0.isMultiple(of: 3) })
    }
}

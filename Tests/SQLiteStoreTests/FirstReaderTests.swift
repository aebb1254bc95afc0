// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemConformance
import SecItemStore
import TestSupport
import Testing

@testable import SecItemSQLite

/// The connection that checked the store answers the first look-ups, until a write or a second look-up at the same
/// time.
@Suite struct FirstReaderTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private enum Step: CaseIterable {
        case open, lookUp, lookUpByMany, add, addElsewhere, delete, copy, removeLog
    }

    /// In every order of events, a look-up finds what is stored at that moment.
    @Test func everyOrder_findsWhatIsStored() throws {
        var random = SeededGenerator()
        let other = try openStore(folder.location)
        var expected: Set<String> = []
        var store = try openStore(folder.location)
        for number in 0..<400 {
            let step = Step.allCases.randomElement(using: &random) ?? .lookUp
            let account = "\(number)"
            switch step {
            case .open: store = try openStore(folder.location)
            case .lookUp: break
            case .lookUpByMany: expectToFind(expected, in: store)
            case .add, .addElsewhere:
                try (step == .add ? store : other).insert(.password(account: account))
                expected.insert(account)
            case .delete:
                guard let account = expected.randomElement(using: &random) else { continue }
                #expect(try store.delete(.password(account: account)) == 1)
                expected.remove(account)
            case .copy:
                // Closing a descriptor of the file releases all of the process's locks on it.
                _ = try Data(contentsOf: URL(fileURLWithPath: folder.location.databasePath))
            case .removeLog: for end in ["-wal", "-shm"] { unlink(folder.location.databasePath + end) }
            }
            #expect(try Self.accounts(store) == expected, "\(step) \(number)")
        }
        try store.verify()
    }

    private static func accounts(_ store: SQLiteStore) throws -> Set<String> {
        Set(try store.find(RecordFilter(itemClass: .genericPassword), .attributes).compactMap(\.accountName))
    }

    /// Several threads look up at once.
    private func expectToFind(_ expected: Set<String>, in store: SQLiteStore) {
        let workers = (0..<4).map { _ in
            Worker {
                for _ in 0..<5 { #expect((try? Self.accounts(store)) == expected) }
            }
        }
        for worker in workers { worker.join() }
    }
}

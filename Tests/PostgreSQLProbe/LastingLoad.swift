// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import Foundation
    import SecItemPostgreSQL
    import SecItemStore

    /// Adds items whose names begin with `prefix` until it is killed. Says of each call how it ended and how many seconds it
    /// took, before the next one begins.
    func addWithoutEnd(_ store: PostgreSQLStore, prefix: String) -> Never {
        var number = 0
        while true {
            number += 1
            let clock = ContinuousClock()
            let start = clock.now
            var outcome = "added"
            do throws(StoreError) {
                try store.insert(passwordRecord("\(prefix)-\(number)"), interaction: .forbidden)
            } catch {
                outcome = error.code == .duplicate ? "duplicate" : "failed"
            }
            let (seconds, attoseconds) = (clock.now - start).components
            // Leaves the machine to the servers for a moment.
            defer { usleep(50_000) }
            say("\(outcome) \(prefix)-\(number) \(Double(seconds) + Double(attoseconds) / 1e18)")
        }
    }

    /// Says the names of all items, each of which is decrypted.
    func listItems(_ store: PostgreSQLStore) throws {
        let found = try store.records(
            matching: RecordFilter(itemClass: .genericPassword), parts: [.attributes, .secrets], limit: nil,
            interaction: .forbidden)
        for case .string(let account)? in found.map({ $0.attributes[.account] }) { say(account) }
    }
#endif

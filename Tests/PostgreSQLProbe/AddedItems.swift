// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import Foundation
    import SecItemPostgreSQL
    import SecItemStore

    /// Adds the items "0" to `count - 1`, which other processes add too, in another order. Says the name of each item that
    /// this process has added.
    func addItems(_ connectionString: String, keyFile: String, count: Int) throws {
        let store = PostgreSQLStore(PostgreSQLServer(connectionString), keyFile: keyFile)
        for number in (0..<count).shuffled() {
            let record = ItemRecord(
                reference: PersistentReference(itemClass: .genericPassword),
                attributes: [
                    .service: .string("service"), .account: .string(String(number)),
                    .accessible: .string(Accessible.afterFirstUnlock.rawValue),
                ],
                secrets: [.valueData: Secret(Data(String(getpid()).utf8))])
            do throws(StoreError) {
                try store.insert(record, interaction: .forbidden)
                // At once, because the process may be killed.
                FileHandle.standardOutput.write(Data("added \(number)\n".utf8))
            } catch {
                guard error.code == .duplicate else { throw error }
            }
        }
    }
#endif

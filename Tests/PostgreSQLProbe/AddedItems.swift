// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import Foundation
    import SecItemPostgreSQL
    import SecItemStore

    /// A generic password whose account is `name`. Its secret is the number of this process.
    func passwordRecord(_ name: String) -> ItemRecord {
        ItemRecord(
            reference: PersistentReference(itemClass: .genericPassword),
            attributes: [
                .service: .string("service"), .account: .string(name),
                .accessible: .string(Accessible.afterFirstUnlock.rawValue),
            ],
            secrets: [.valueData: Secret(Data(String(getpid()).utf8))])
    }

    /// Writes a line at once, because the process may be killed.
    func say(_ line: String) {
        FileHandle.standardOutput.write(Data((line + "\n").utf8))
    }

    /// Adds the items "0" to `count - 1`, which other processes add too, in another order. Says the name of each item that
    /// this process has added.
    func addItems(_ connectionString: String, keyFile: String, count: Int) throws {
        let store = PostgreSQLStore(PostgreSQLServer(connectionString), keyFile: keyFile)
        for number in (0..<count).shuffled() {
            do throws(StoreError) {
                try store.insert(passwordRecord(String(number)), interaction: .forbidden)
                say("added \(number)")
            } catch {
                guard error.code == .duplicate else { throw error }
            }
        }
    }
#endif

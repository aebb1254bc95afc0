// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import Foundation
    import SecItemPostgreSQL
    import SecItemSQLite
    import SecItemSealing
    import SecItemStore
    import SecItemSynchronizing

    /// Adds, moves, changes and deletes items in both places of a machine until it is killed, and prints each item that it
    /// has added to stay.
    func churn(_ connectionString: String, keyFile: String, folder: String) throws {
        let copyFolder = folder + "/copies/default"
        let store = SynchronizingStore(
            local: try SQLiteStore(
                madeWhenNeeded: StoreLocation(folder: folder), protector: KeyFileProtector(), cache: .none),
            shared: ReplicatedStore(
                PostgreSQLStore(PostgreSQLServer(connectionString), keyFile: keyFile),
                copy: try SQLiteStore(
                    madeWhenNeeded: StoreLocation(folder: copyFolder), protector: KeyFileProtector(), cache: .none),
                folder: copyFolder))
        func add(_ account: String, _ isSynchronizable: Bool) throws {
            try store.insert(
                ItemRecord(
                    reference: PersistentReference(itemClass: .genericPassword),
                    attributes: [
                        .account: .string(account), .synchronizable: .integer(isSynchronizable ? 1 : 0),
                        .accessible: .string(Accessible.afterFirstUnlock.rawValue),
                        .creationDate: .date(Date()), .modificationDate: .date(Date()),
                    ],
                    secrets: [.valueData: Secret(Data("secret".utf8))]), interaction: .forbidden)
        }
        func filter(_ account: String) -> RecordFilter {
            RecordFilter(itemClass: .genericPassword, attributes: [.account: .string(account)])
        }
        for number in 0... {
            let name = "\(getpid()) \(number)"
            try add(name, true)
            try add(name + " moved", false)
            try add(name + " deleted", true)
            let move = RecordChanges(attributes: [.synchronizable: .integer(1)], secrets: [:])
            _ = try store.update(matching: filter(name + " moved"), applying: move, interaction: .forbidden)
            let comment = RecordChanges(attributes: [.comment: .string("changed")], secrets: [:])
            _ = try store.update(matching: filter(name), applying: comment, interaction: .forbidden)
            _ = try store.delete(matching: filter(name + " deleted"), interaction: .forbidden)
            print("kept \(name)\nkept \(name) moved\nlost \(name) deleted")
            fflush(nil)
        }
    }
#endif

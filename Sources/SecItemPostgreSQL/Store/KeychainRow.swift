// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import Foundation
    import SecItemSealing
    import SecItemStore

    /// A keychain in the tables `store` and `keys`, with its header.
    struct KeychainRow: Sendable {
        /// The keychain's number in the table `store`.
        let number: Int64
        /// The identity and the wrapped keys. They are not authenticated yet.
        let header: StoreHeader

        // MARK: Reading

        static func isAnyThere(_ database: PostgreSQLDatabase) throws(StoreError) -> Bool {
            try database.read(PostgreSQLCommand("SELECT 1 FROM secitem.store LIMIT 1")).count > 0
        }

        /// The keychain of that name, or nil if there is none.
        ///
        /// All keychains of a database have one device key. Otherwise a machine with the wrong key file would find no
        /// keychain, because the name in the table depends on the key, and would make a second one of the same name.
        ///
        /// - Throws: ``StoreError/Code/corrupt`` if it is damaged, or if the database has keychains with another device
        ///   key; the errors of the database.
        static func read(
            _ name: String, _ deviceKey: DeviceKey, _ transaction: PostgreSQLTransaction
        ) throws(StoreError) -> KeychainRow? {
            let key = PostgreSQLValue.bytes(try deviceKey.blind(ofKeychain: name).bytes)
            let commands = [
                PostgreSQLCommand("SELECT id, uuid, device_key, code FROM secitem.store WHERE name = $1", key),
                PostgreSQLCommand(
                    """
                    SELECT k.name, k.wrapper, k.parameters, k.sealed, k.checksum, k.code FROM secitem.keys AS k
                    JOIN secitem.store AS s ON s.id = k.store WHERE s.name = $1
                    """, key),
                strangers(to: deviceKey),
            ]
            let answers = try transaction.run(commands)
            guard answers.count == 3 else { throw StoreHeader.damaged }
            try requireNone(answers[2])
            let store = answers[0], rows = answers[1]
            guard store.count == 1 else { return nil }
            let storeID = store.bytes(0, 1), deviceKeyID = store.bytes(0, 2)
            guard let code = blind(store, 0, 3), storeID.count == 16, deviceKeyID.count == DeviceKey.idByteCount else {
                throw StoreHeader.damaged
            }
            var keys = KeyTable<WrappedKey>()
            for row in 0..<rows.count {
                guard let name = KeyName(rawValue: rows.text(row, 0)), let code = blind(rows, row, 5) else {
                    throw StoreHeader.damaged
                }
                keys[name] = WrappedKey(
                    name: name, wrapper: rows.text(row, 1), parameters: rows.bytes(row, 2),
                    sealed: rows.bytes(row, 3), check: rows.bytes(row, 4), code: code)
            }
            return KeychainRow(
                number: try store.integer(0, 0),
                header: StoreHeader(storeID: storeID, deviceKeyID: deviceKeyID, code: code, keys: keys))
        }

        /// Finds some of the keychains that have another device key.
        static func strangers(to deviceKey: DeviceKey) -> PostgreSQLCommand {
            PostgreSQLCommand(
                """
                SELECT id, EXISTS (SELECT FROM secitem.store WHERE device_key = $1)
                FROM secitem.store WHERE device_key <> $1 ORDER BY id LIMIT 10
                """, .bytes(deviceKey.id))
        }

        /// Checks that ``strangers(to:)`` has found none.
        ///
        /// - Throws: ``StoreError/Code/corrupt`` if it has. If other keychains have the device key, somebody has added those
        ///   that do not, and the error has the statement that deletes them.
        static func requireNone(_ strangers: PostgreSQLRows) throws(StoreError) {
            guard strangers.count > 0 else { return }
            guard try strangers.boolean(0, 1) else {
                throw StoreError(
                    .corrupt,
                    "the key file is not that of the keychains in this database, or they have got new keys: move it "
                        + "away, and let this machine join with an invitation (security fleet join)")
            }
            let numbers = try (0..<strangers.count).map { (row) throws(StoreError) in try strangers.integer(row, 0) }
            throw StoreError(
                .corrupt,
                "some keychains in this database have another device key than the others, and no program of this library "
                    + "has made them. If nobody needs them, delete them with their items: \(deletion(of: numbers))")
        }

        /// The statement with which an operator deletes those keychains and their items. The first ten are named.
        static func deletion(of numbers: [Int64]) -> String {
            let list = numbers.prefix(10).map(String.init).joined(separator: ", ")
            return "DELETE FROM secitem.store WHERE id IN (\(list))\(numbers.count > 10 ? ", and so on" : "")"
        }

        private static func blind(_ rows: PostgreSQLRows, _ row: Int, _ column: Int) -> Blind? {
            rows.withBytes(row, column) { $0.count == Blind.byteCount ? Blind(prefixOf: $0) : nil }
        }

        // MARK: Writing

        /// Stores a new keychain, unless another program has stored one of that name meanwhile.
        ///
        /// - Parameter whenFirst: Runs in the transaction if the keychain is stored, while no other program can store one.
        /// - Returns: The one that is stored now.
        /// - Throws: As ``read(_:_:_:)``, and what `whenFirst` throws.
        static func insert(
            _ header: StoreHeader, name: String, _ deviceKey: DeviceKey, _ database: PostgreSQLDatabase,
            whenFirst: () throws(StoreError) -> Void
        ) throws(StoreError) -> KeychainRow {
            let key = PostgreSQLValue.bytes(try deviceKey.blind(ofKeychain: name).bytes)
            // Not the next number of a sequence: in a database that was made anew, a program that has the old keychain open
            // would add items under the new one's number, with keys that nobody has any more.
            let number = ItemNumber.next()
            try database.transaction(.readCommitted) { (transaction) throws(StoreError) in
                // Programs that create keychains wait for each other, so that each sees the device key of the others.
                _ = try transaction.run(.unprepared("LOCK TABLE secitem.store IN SHARE ROW EXCLUSIVE MODE"))
                try requireNone(transaction.run(strangers(to: deviceKey)))
                let inserted = try transaction.run(
                    PostgreSQLCommand(
                        """
                        INSERT INTO secitem.store (id, name, uuid, device_key, code) OVERRIDING SYSTEM VALUE
                        VALUES ($1, $2, $3, $4, $5) ON CONFLICT (name) DO NOTHING RETURNING id
                        """, .integer(number), key, .bytes(header.storeID), .bytes(header.deviceKeyID),
                        .bytes(header.code.bytes)))
                guard inserted.count == 1 else { return }
                try whenFirst()
                _ = try transaction.run(header.keys.entries.map { insertion(of: $0.value, number) })
            }
            let stored = try database.transaction(.snapshot) { (transaction) throws(StoreError) in
                try read(name, deviceKey, transaction)
            }
            guard let stored else { throw StoreError(.unavailable, "PostgreSQL: the new keychain has vanished") }
            return stored
        }

        /// Stores a new keychain under a number of its own, in a transaction that keeps other programs from making any.
        ///
        /// - Returns: The number.
        /// - Throws: The errors of the database.
        static func insert(
            _ header: StoreHeader, nameBlind: Blind, _ transaction: PostgreSQLTransaction
        ) throws(StoreError) -> Int64 {
            let number = ItemNumber.next()
            let store = PostgreSQLCommand(
                """
                INSERT INTO secitem.store (id, name, uuid, device_key, code) OVERRIDING SYSTEM VALUE
                VALUES ($1, $2, $3, $4, $5)
                """, .integer(number), .bytes(nameBlind.bytes), .bytes(header.storeID), .bytes(header.deviceKeyID),
                .bytes(header.code.bytes)
            ).affecting(1)
            _ = try transaction.run([store] + header.keys.entries.map { insertion(of: $0.value, number) })
            return number
        }

        private static func insertion(of key: WrappedKey, _ number: Int64) -> PostgreSQLCommand {
            PostgreSQLCommand(
                """
                INSERT INTO secitem.keys (store, name, wrapper, parameters, sealed, checksum, code)
                VALUES ($1, $2, $3, $4, $5, $6, $7)
                """, .integer(number), .text(key.name.rawValue), .text(key.wrapper), .bytes(key.parameters),
                .bytes(key.sealed), .bytes(key.check), .bytes(key.code.bytes)
            ).affecting(1)
        }

        /// Replaces the wrapping of the root key, if it still is the one of that header.
        ///
        /// - Throws: ``StoreError/Code/unavailable`` if another program has replaced it meanwhile; the errors of the
        ///   database.
        func replaceRoot(by new: WrappedKey, _ transaction: PostgreSQLTransaction) throws(StoreError) {
            try requireRoot(transaction)
            _ = try transaction.run(
                PostgreSQLCommand(
                    """
                    UPDATE secitem.keys SET wrapper = $3, parameters = $4, sealed = $5, checksum = $6, code = $7
                    WHERE store = $1 AND name = $2
                    """, .integer(number), .text(KeyName.root.rawValue), .text(new.wrapper), .bytes(new.parameters),
                    .bytes(new.sealed), .bytes(new.check), .bytes(new.code.bytes)
                ).affecting(1))
        }

        /// The keychain after ``replaceRoot(by:_:)``.
        func replacingRoot(with new: WrappedKey) -> KeychainRow {
            var keys = header.keys
            keys[.root] = new
            return KeychainRow(
                number: number,
                header: StoreHeader(
                    storeID: header.storeID, deviceKeyID: header.deviceKeyID, code: header.code, keys: keys))
        }

        /// Checks that the root key is still wrapped as in that header.
        ///
        /// - Throws: As ``replaceRoot(by:_:)``.
        func requireRoot(_ transaction: PostgreSQLTransaction) throws(StoreError) {
            guard let old = header.keys[.root] else { throw StoreHeader.damaged }
            let found = try transaction.run(
                PostgreSQLCommand(
                    "SELECT sealed FROM secitem.keys WHERE store = $1 AND name = $2", .integer(number),
                    .text(KeyName.root.rawValue)))
            guard found.count == 1, found.bytes(0, 0) == old.sealed else {
                throw StoreError(.unavailable, "another program changed the passphrase meanwhile")
            }
        }
    }
#endif

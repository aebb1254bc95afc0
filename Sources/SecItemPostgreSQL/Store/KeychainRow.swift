// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import Crypto
    import Foundation
    import SecItemSealing
    import SecItemStore

    /// A keychain in the tables `store` and `keys`, with its header.
    struct KeychainRow: Sendable {
        /// The keychain's number in the table `store`.
        let number: Int64
        /// The identity and the wrapped keys. They are not authenticated yet.
        let header: StoreHeader

        /// What the table has in place of a keychain's name, which the server need not know.
        static func key(_ name: String) -> [UInt8] {
            var digest = SHA256()
            digest.update(data: Array("secitem/1 keychain name".utf8))
            digest.update(data: Array(name.utf8))
            return digest.finalize().withUnsafeBytes { Array($0) }
        }

        // MARK: Reading

        /// The keychain of that name, or nil if there is none.
        ///
        /// - Parameter run: Runs statements that see one moment.
        /// - Throws: ``StoreError/Code/corrupt`` if it is damaged.
        static func read(
            _ name: String, _ run: ([PostgreSQLCommand]) throws(StoreError) -> [PostgreSQLRows]
        ) throws(StoreError) -> KeychainRow? {
            let key = PostgreSQLValue.bytes(key(name))
            let answers = try run([
                PostgreSQLCommand("SELECT id, uuid, device_key, code FROM secitem.store WHERE name = $1", key),
                PostgreSQLCommand(
                    """
                    SELECT k.name, k.wrapper, k.parameters, k.sealed, k.checksum, k.code FROM secitem.keys AS k
                    JOIN secitem.store AS s ON s.id = k.store WHERE s.name = $1
                    """, key),
            ])
            guard answers.count == 2 else { throw StoreHeader.damaged }
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

        private static func blind(_ rows: PostgreSQLRows, _ row: Int, _ column: Int) -> Blind? {
            rows.withBytes(row, column) { $0.count == Blind.byteCount ? Blind(prefixOf: $0) : nil }
        }

        // MARK: Writing

        /// Stores a new keychain, unless another program has stored one of that name meanwhile.
        ///
        /// - Returns: The one that is stored now.
        static func insert(
            _ header: StoreHeader, name: String, _ database: PostgreSQLDatabase
        ) throws(StoreError) -> KeychainRow {
            let key = PostgreSQLValue.bytes(key(name))
            // The programs that create the same keychain wait for each other in the unique index of its name.
            try database.transaction(.readCommitted) { (transaction) throws(StoreError) in
                let inserted = try transaction.run(
                    PostgreSQLCommand(
                        """
                        INSERT INTO secitem.store (name, uuid, device_key, code) VALUES ($1, $2, $3, $4)
                        ON CONFLICT (name) DO NOTHING RETURNING id
                        """, key, .bytes(header.storeID), .bytes(header.deviceKeyID), .bytes(header.code.bytes)))
                guard inserted.count == 1 else { return }
                let number = try inserted.integer(0, 0)
                _ = try transaction.run(
                    header.keys.entries.map { _, key in
                        PostgreSQLCommand(
                            """
                            INSERT INTO secitem.keys (store, name, wrapper, parameters, sealed, checksum, code)
                            VALUES ($1, $2, $3, $4, $5, $6, $7)
                            """, .integer(number), .text(key.name.rawValue), .text(key.wrapper),
                            .bytes(key.parameters), .bytes(key.sealed), .bytes(key.check), .bytes(key.code.bytes))
                    })
            }
            let stored = try read(name) { (commands) throws(StoreError) in
                try database.perform(commands, .snapshot)
            }
            guard let stored else { throw StoreError(.unavailable, "PostgreSQL: the new keychain has vanished") }
            return stored
        }
    }
#endif

// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import Foundation
    import SecItemSealing
    import SecItemStore

    /// The statements that store a sealed row.
    extension SealedItem {
        /// Stores a new row.
        ///
        /// - Parameters:
        ///   - id: The row's number.
        ///   - store: The number of the keychain.
        ///   - claim: ``claim(_:_:)``.
        func insertion(id: Int64, store: Int64, claim: Blind) throws(StoreError) -> PostgreSQLCommand {
            // The answer counts the look-up values. A row that was left out would make them break their foreign key.
            let lookups = Set(index.lookups).map(\.bytes)
            return PostgreSQLCommand(
                ItemStatements.insert,
                values: [
                    .integer(store), .integer(id), .text(reference.itemClass.rawValue), .bytes(reference.uuid.bytes),
                    .text(accessible.rawValue), .bytes(index.primaryKey.bytes), .bytes(claim.bytes),
                    .bytes(index.slots), .bytes(nonces), .bytes(try code(id: id).bytes),
                    .bytes(Array(attributes.ciphertext)), secretsValue,
                    .bytesList(lookups),
                ]
            ).affecting(lookups.count)
        }

        /// Replaces the row of that number, except for its look-up values.
        func replacement(
            id: Int64, store: Int64, claim: Blind, keepingSecrets: Bool
        ) throws(StoreError) -> PostgreSQLCommand {
            var values: [PostgreSQLValue] = [
                .integer(store), .integer(id), .text(accessible.rawValue), .bytes(index.primaryKey.bytes),
                .bytes(claim.bytes), .bytes(index.slots), .bytes(nonces), .bytes(try code(id: id).bytes),
                .bytes(Array(attributes.ciphertext)),
            ]
            if keepingSecrets {
                return PostgreSQLCommand(ItemStatements.updateKeepingSecrets, values: values).affecting(1)
            }
            values.append(secretsValue)
            return PostgreSQLCommand(ItemStatements.update, values: values).affecting(1)
        }

        private var secretsValue: PostgreSQLValue {
            if case .sealed(let secrets) = secrets { .bytes(Array(secrets.ciphertext)) } else { .null }
        }

        /// The bytes of the sealed columns, which are most of a row.
        var ciphertextByteCount: Int {
            guard case .sealed(let secrets) = secrets else { return attributes.ciphertext.count }
            return attributes.ciphertext.count + secrets.ciphertext.count
        }

        /// The blind that makes the primary key of a record unique in the whole keychain.
        ///
        /// ``ItemIndex/primaryKey`` is different for items that are always accessible, so the same key could be in both
        /// domains. This one is made with the metadata keys of protected items for all.
        ///
        /// - Throws: ``StoreError/Code/locked`` before the first unlock.
        func claim(_ record: ItemRecord, _ keys: KeySet) throws(StoreError) -> Blind {
            if domain == .main { return index.primaryKey }
            guard let main = keys.metadata(.main) else { throw .lockedBeforeFirstUnlock }
            return try main.blind(record.primaryKey)
        }
    }
#endif

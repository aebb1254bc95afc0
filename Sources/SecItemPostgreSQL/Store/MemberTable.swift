// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import SecItemSealing
    import SecItemStore

    /// The statements on the table `member`.
    enum MemberTable {
        private static func row(_ rows: PostgreSQLRows, _ index: Int) -> MemberRow? {
            MemberRow.Kind(rawValue: rows.text(index, 1)).map {
                MemberRow(
                    kind: $0, id: rows.bytes(index, 0), sealed: rows.bytes(index, 2), details: rows.bytes(index, 3))
            }
        }

        /// The row of that number, or nil if there is none.
        static func row(_ id: [UInt8], _ transaction: PostgreSQLTransaction) throws(StoreError) -> MemberRow? {
            let rows = try transaction.run(
                PostgreSQLCommand("SELECT id, kind, sealed, details FROM secitem.member WHERE id = $1", .bytes(id)))
            return rows.count == 1 ? row(rows, 0) : nil
        }

        /// All rows of a known kind. One with more bytes than this library writes has none, and so is damaged: it must not
        /// make the answer too large.
        static func all(_ transaction: PostgreSQLTransaction) throws(StoreError) -> [MemberRow] {
            let rows = try transaction.run(
                PostgreSQLCommand(
                    """
                    SELECT id, kind, CASE WHEN octet_length(sealed) <= 4096 THEN sealed END,
                        CASE WHEN octet_length(details) <= 4096 THEN details END
                    FROM secitem.member WHERE kind IN ('member', 'invitation') ORDER BY id
                    """))
            return (0..<rows.count).compactMap { row(rows, $0) }
        }

        static func insertion(_ row: MemberRow) -> PostgreSQLCommand {
            PostgreSQLCommand(
                "INSERT INTO secitem.member (id, kind, sealed, details) VALUES ($1, $2, $3, $4)", .bytes(row.id),
                .text(row.kind.rawValue), .bytes(row.sealed), .bytes(row.details)
            ).affecting(1)
        }

        /// Removes the row of that number.
        static func deletion(_ id: [UInt8]) -> PostgreSQLCommand {
            PostgreSQLCommand("DELETE FROM secitem.member WHERE id = $1", .bytes(id)).affecting(1)
        }

        /// What a member's own row gives it.
        ///
        /// - Throws: ``StoreError/Code/corrupt`` if the row is not what a member has written for this one.
        static func open(
            _ row: MemberRow, _ member: MemberKey
        ) throws(StoreError) -> (deviceKey: DeviceKey, details: MemberRow.Details) {
            let damaged = StoreError(
                .corrupt, "this machine's row in the table of members is damaged, or another's")
            guard row.kind == .member, row.id == member.id else { throw damaged }
            let deviceKey = try member.deviceKey(sealed: row.sealed)
            guard let details = row.opened(deviceKey) else { throw damaged }
            return (deviceKey, details)
        }
    }
#endif

// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import SecItemStore

    /// What a role may do with the tables, for people: calls that need another right fail.
    enum RoleRights {
        /// What somebody may want to do.
        enum Call: String, CaseIterable {
            case lookUps = "look-ups"
            case adds
            case updates
            case deletions
            case newKeychains = "the first item of a keychain"
            case passphrases = "changes of the passphrase"
            case members = "invitations and joining"
            case newKeys = "rekey and fleet remove"
        }

        /// A right on a table. Of several, separated by commas, one is enough.
        private struct Right: Hashable {
            let table: String
            let names: String

            init(_ table: String, _ names: String) {
                self.table = table
                self.names = names
            }

            var text: String { "\(names.replacingOccurrences(of: ", ", with: " or ")) on \(table)" }
        }

        /// PostgreSQL wants one of them for a lock that keeps other writers away.
        private static let locking = "UPDATE, DELETE, TRUNCATE"

        private static func needs(_ call: Call) -> [Right] {
            switch call {
            case .lookUps:
                ["format", "store", "keys", "item", "lookup", "member"].map { Right($0, "SELECT") }
            case .adds: [Right("item", "INSERT"), Right("lookup", "INSERT")]
            case .updates:
                [Right("item", "UPDATE")] + ["INSERT", "UPDATE", "DELETE"].map { Right("lookup", $0) }
            case .deletions: [Right("item", "DELETE")]
            case .newKeychains:
                ["store", "keys", "item", "lookup"].map { Right($0, "INSERT") } + [Right("store", locking)]
            case .passphrases: [Right("keys", "UPDATE")]
            case .members: [Right("member", "INSERT"), Right("member", "DELETE")]
            case .newKeys:
                ["store", "keys", "item", "lookup", "member"].map { Right($0, "INSERT") }
                    + [Right("store", "UPDATE"), Right("store", "DELETE"), Right("member", "DELETE")]
                    + ["keys", "item"].map { Right($0, locking) }
            }
        }

        /// The calls that fail because the role lacks rights, and those rights in words.
        ///
        /// - Throws: The errors of the database.
        static func lacking(
            _ database: PostgreSQLDatabase
        ) throws(StoreError) -> [(call: Call, rights: [String])] {
            let all = Array(Set(Call.allCases.flatMap { needs($0) }))
            let rows = try database.read(
                .unprepared(
                    """
                    SELECT n.number FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS n (name, rights, number)
                    WHERE NOT pg_catalog.has_table_privilege('secitem.' || n.name, n.rights)
                    """, .textList(all.map(\.table)), .textList(all.map(\.names))))
            var missing: Set<Right> = []
            for row in 0..<rows.count {
                let index = Int(try rows.integer(row, 0)) - 1
                if all.indices.contains(index) { missing.insert(all[index]) }
            }
            return Call.allCases.compactMap { call in
                let rights = needs(call).filter(missing.contains).map(\.text)
                return rights.isEmpty ? nil : (call, rights)
            }
        }

        /// What a person has to know about the rights on the tables.
        ///
        /// - Throws: The errors of the database.
        static func diagnosis(_ database: PostgreSQLDatabase) throws(StoreError) -> StoreDiagnosis {
            let lacking = try lacking(database)
            guard !lacking.isEmpty else {
                return StoreDiagnosis("rights", .fine, "the role has all rights on the tables that calls need")
            }
            let calls = lacking.map { "\($0.call.rawValue) (\($0.rights.joined(separator: ", ")))" }
            return StoreDiagnosis(
                "rights", lacking.contains { $0.call == .lookUps } ? .problem : .warning,
                "the role lacks rights, so these fail: \(calls.joined(separator: "; "))",
                remedy: "let the owner of the tables grant the rights: docs/postgresql.md has the statements")
        }

        /// Whether the role may make the tables that are not there.
        ///
        /// - Throws: The errors of the database.
        static func mayMakeTables(_ database: PostgreSQLDatabase) throws(StoreError) -> Bool {
            try database.read(
                .unprepared(
                    """
                    SELECT CASE WHEN n.oid IS NULL
                        THEN pg_catalog.has_database_privilege(pg_catalog.current_database(), 'CREATE')
                        ELSE pg_catalog.pg_has_role(current_user, n.nspowner, 'USAGE')
                            AND pg_catalog.has_schema_privilege(n.oid, 'CREATE')
                        END
                    FROM (VALUES (1)) AS one LEFT JOIN pg_catalog.pg_namespace AS n ON n.nspname = 'secitem'
                    """)
            ).boolean(0, 0)
        }
    }
#endif

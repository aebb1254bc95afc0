// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import SecItemSealing

    /// The statements on the tables `item` and `lookup`. Each is one constant text, so that a connection prepares it once.
    ///
    /// Statements that fetch rows give a number and then the row's columns, in the order of numbers.
    enum ItemStatements {
        // MARK: Fetching

        static func ofNumber(_ columns: RowColumns) -> String { ofNumber[index(columns)] }
        static func ofReference(_ columns: RowColumns) -> String { ofReference[index(columns)] }
        static func listed(_ columns: RowColumns) -> String { listed[index(columns)] }
        static func page(_ columns: RowColumns) -> String { page[index(columns)] }

        private static func index(_ columns: RowColumns) -> Int {
            (columns.attributes ? 2 : 0) + (columns.secrets ? 1 : 0)
        }

        /// The columns with a value of their own length.
        private static let values = ["class", "reference", "accessible", "primary_key", "slots", "nonces", "code"]
        private static let sealed = ["attributes", "secrets"]

        /// The statement in four forms: with and without each sealed column.
        ///
        /// - Parameter cell: What the statement has for a column.
        private static func forms(
            _ head: String, _ tail: String, cell: (_ column: String) -> String = { "i.\($0)" }
        ) -> [String] {
            (0..<4).map { index in
                let present = present(index)
                let cells = (["id"] + values).map(cell) + sealed.map { present.contains($0) ? cell($0) : "NULL::bytea" }
                return "\(head)\(cells.joined(separator: ", ")) \(tail)"
            }
        }

        /// The sealed columns of a form.
        private static func present(_ index: Int) -> [String] {
            (index & 2 != 0 ? ["attributes"] : []) + (index & 1 != 0 ? ["secrets"] : [])
        }

        private static let ofNumber = forms(
            "SELECT i.id, ", "FROM secitem.item AS i WHERE i.store = $1 AND i.id = $2")
        private static let ofReference = forms(
            "SELECT i.id, ", "FROM secitem.item AS i WHERE i.store = $1 AND i.reference = $2")
        // LEFT JOIN reveals missing rows.
        private static let listed = forms(
            "SELECT l.item, ",
            """
            FROM secitem.lookup AS l LEFT JOIN secitem.item AS i ON i.store = l.store AND i.id = l.item
            WHERE l.store = $1 AND l.blind = ANY ($2) ORDER BY 1
            """)
        /// At most `$3` rows of together `$4` bytes, but at least one row. Of a row of more than `$5` bytes, only the number.
        ///
        /// One scan, without a join: the plan must be good for keychains of every size. The server knows the length of a
        /// value without reading it.
        private static let page = (0..<4).map { index in
            let size = (values + present(index)).map { "coalesce(octet_length(i.\($0)), 0)::bigint" }
            let tail = """
                FROM (
                    SELECT s.*, sum(s.size) OVER (ORDER BY s.id ROWS UNBOUNDED PRECEDING)::bigint AS total
                    FROM (
                        SELECT i.*, \(size.joined(separator: " + ")) AS size FROM secitem.item AS i
                        WHERE i.store = $1 AND i.id > $2 ORDER BY i.id LIMIT $3
                    ) AS s
                ) AS p
                WHERE p.total <= $4 OR p.total = p.size ORDER BY p.id
                """
            return forms("SELECT p.id, ", tail) { "CASE WHEN p.size <= $5 THEN p.\($0) END" }[index]
        }

        static let hasKeychain = "SELECT 1 FROM secitem.store WHERE id = $1"
        static let hasPrimaryKey = "SELECT 1 FROM secitem.item WHERE store = $1 AND primary_key = $2"
        static let hasReference = "SELECT 1 FROM secitem.item WHERE store = $1 AND reference = $2"
        static let hasProtected =
            "SELECT 1 FROM secitem.item WHERE store = $1 AND class = $2 AND accessible NOT IN ('dk', 'dku') LIMIT 1"
        static let count =
            "SELECT count(*) FROM (SELECT 1 FROM secitem.lookup WHERE store = $1 AND blind = $2 LIMIT $3) AS l"

        // MARK: Changing

        /// One statement for both tables, so that an add is one round trip.
        static let insert = """
            WITH new AS (
                INSERT INTO secitem.item (store, id, class, reference, accessible, primary_key, claim, slots, nonces,
                    code, attributes, secrets)
                VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
            )
            INSERT INTO secitem.lookup (store, blind, item) SELECT $1, blind, $2 FROM unnest($13) AS blind
            """
        static let update = """
            UPDATE secitem.item SET accessible = $3, primary_key = $4, claim = $5, slots = $6, nonces = $7, code = $8,
                attributes = $9, secrets = $10
            WHERE store = $1 AND id = $2
            """
        static let updateKeepingSecrets = """
            UPDATE secitem.item SET accessible = $3, primary_key = $4, claim = $5, slots = $6, nonces = $7, code = $8,
                attributes = $9
            WHERE store = $1 AND id = $2
            """
        /// A value that is there already counts as added, so that one that is left out shows in the count.
        static let addLookups = """
            INSERT INTO secitem.lookup (store, blind, item) SELECT $1, blind, $2 FROM unnest($3) AS blind
            ON CONFLICT (store, blind, item) DO UPDATE SET item = EXCLUDED.item
            """
        static let removeLookups = "DELETE FROM secitem.lookup WHERE store = $1 AND item = $2 AND blind = ANY ($3)"
        /// The look-up values go with the items.
        static let delete = "DELETE FROM secitem.item WHERE store = $1 AND id = ANY ($2)"
    }
#endif

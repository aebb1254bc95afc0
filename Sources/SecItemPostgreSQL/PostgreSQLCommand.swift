// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    /// A statement with the values of its parameters `$1`, `$2` and so on.
    package struct PostgreSQLCommand: Sendable {
        /// The text of the statement: one of a few constants, because each connection prepares it once by its text.
        let sql: String
        /// The values, for `$1` and following.
        let values: [PostgreSQLValue]
        /// Whether a connection may prepare it. Statements of the protocol's own, such as `BEGIN`, are not worth it.
        let isPrepared: Bool
        /// The number of rows that the statement must insert, change or delete; nil if any number is right.
        private(set) var affectedCount: Int?

        /// A statement that each connection prepares once.
        package init(_ sql: String, values: [PostgreSQLValue]) {
            self.init(sql, values: values, isPrepared: true)
        }

        /// A statement that each connection prepares once.
        package init(_ sql: String, _ values: PostgreSQLValue...) {
            self.init(sql, values: values)
        }

        init(_ sql: String, values: [PostgreSQLValue], isPrepared: Bool) {
            self.sql = sql
            self.values = values
            self.isPrepared = isPrepared
        }

        /// The same statement, which fails in a transaction unless it inserts, changes or deletes so many rows.
        package func affecting(_ count: Int) -> PostgreSQLCommand {
            var command = self
            command.affectedCount = count
            return command
        }

        /// A statement that is used seldom: it is sent with its text each time.
        package static func unprepared(_ sql: String, _ values: PostgreSQLValue...) -> PostgreSQLCommand {
            PostgreSQLCommand(sql, values: values, isPrepared: false)
        }
    }
#endif

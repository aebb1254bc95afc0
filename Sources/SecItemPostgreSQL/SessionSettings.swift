// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    /// What the library sets on the server for its own sessions, or for its own transactions behind a pooler.
    enum SessionSettings {
        /// The names, in the order of ``values(_:)``.
        static let names = [
            "statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout",
            "client_connection_check_interval", "search_path", "default_transaction_isolation", "plan_cache_mode",
        ]

        /// The first statement of the transaction. After it, nobody's operator or type replaces PostgreSQL's own.
        static let ownNames = PostgreSQLCommand.unprepared("SET LOCAL search_path = ''")

        /// For a transaction that reads everything and changes nothing: its caller may need long for what it has read, for
        /// instance to copy it to a slow store.
        static func longIdle(_ limits: PostgreSQLLimits) -> PostgreSQLCommand {
            .unprepared("SET LOCAL idle_in_transaction_session_timeout = '\(Int(limits.idleWhileReadingAll))s'")
        }

        /// The values as PostgreSQL writes them.
        static func values(_ limits: PostgreSQLLimits) -> [String] {
            func milliseconds(_ seconds: Double) -> String { String(Int(max(1, (seconds * 1_000).rounded(.up)))) }
            // The server itself stops a statement that nobody waits for any more, so no request to cancel it must arrive.
            return [
                milliseconds(limits.call), milliseconds(min(limits.lock, limits.call)), milliseconds(limits.call),
                "1000",
                // With an empty search path, no other function takes the place of PostgreSQL's own.
                "", "read committed",
                // Otherwise the server plans a look-up again each time, which takes longer than the look-up.
                "force_generic_plan",
            ]
        }

        /// Sets the settings that the server knows, if `$1` is the number of the session's process on the server. The first
        /// column says whether it is.
        static let sqlForOwnSession = """
            SELECT pg_catalog.pg_backend_pid() = $1,
                CASE WHEN pg_catalog.pg_backend_pid() = $1 THEN (
                    SELECT pg_catalog.count(pg_catalog.set_config(wanted.name, wanted.value, false))
                    FROM ROWS FROM (
                        pg_catalog.unnest($2::text[] || ARRAY['synchronous_commit']),
                        pg_catalog.unnest($3::text[] || ARRAY[\(synchronousCommit)])) AS wanted (name, value)
                    WHERE pg_catalog.current_setting(wanted.name, true) IS NOT NULL
                ) END
            """

        /// Sets all until the end of the transaction.
        static let sqlForTransaction = """
            SELECT pg_catalog.count(pg_catalog.set_config(wanted.name, wanted.value, true))
            FROM ROWS FROM (
                pg_catalog.unnest($1::text[] || ARRAY['synchronous_commit']),
                pg_catalog.unnest($2::text[] || ARRAY[\(synchronousCommit)])) AS wanted (name, value)
            WHERE pg_catalog.current_setting(wanted.name, true) IS NOT NULL
            """

        /// An item that was reported as stored is on the disk, whatever the role or database is set to.
        private static let synchronousCommit = """
            CASE pg_catalog.current_setting('synchronous_commit') WHEN 'off' THEN 'on' \
            ELSE pg_catalog.current_setting('synchronous_commit') END
            """
    }
#endif

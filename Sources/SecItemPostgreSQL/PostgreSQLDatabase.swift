// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import Foundation
    import SecItemStore

    /// A database, as a store uses it. Any thread may call anything.
    package final class PostgreSQLDatabase: Sendable {
        private let server: PostgreSQLServer
        private let pool: ConnectionPool

        /// Opens nothing: the first call does.
        package init(_ server: PostgreSQLServer) {
            self.server = server
            pool = ConnectionPool(server)
        }

        /// A description for people, without a password.
        ///
        /// - Throws: ``StoreError/Code/unavailable`` if the connection string cannot be read.
        package func summary() throws(StoreError) -> String { try server.summary() }

        /// What a person may want to know of a connection, which is opened if there is none.
        ///
        /// - Throws: As ``read(_:)``.
        func report() throws(StoreError) -> ConnectionReport {
            try trying { (connection, _, limit) throws(StoreError) in try connection.report(limit) }
        }

        /// Closes the idle connections. Later calls open new ones.
        package func close() { pool.close() }

        // MARK: Listening

        /// Listens on a channel, on a thread and a connection of its own.
        ///
        /// - Parameters:
        ///   - pause: The seconds before the connection is opened.
        ///   - channel: The name of the channel; nil if it is not known yet.
        ///   - report: Receives what happens.
        /// - Returns: The listener, which has not started.
        func listener(
            after pause: Double, on channel: @escaping @Sendable () throws(StoreError) -> String?,
            _ report: @escaping @Sendable (PostgreSQLListener.Report) -> Void
        ) -> PostgreSQLListener {
            PostgreSQLListener(pool, server.limits, pause: pause, channel: channel, report: report)
        }

        // MARK: Calls

        /// Runs a statement that changes nothing, in one round trip. If the connection is lost, a new one is tried.
        ///
        /// - Throws: A ``StoreError``. If the server or the connection caused it, ``StoreError/postgreSQL`` says how.
        package func read(_ command: PostgreSQLCommand) throws(StoreError) -> PostgreSQLRows {
            try trying { (connection, _, limit) throws(StoreError) in
                let prelude = PostgreSQLTransaction.prelude(connection, server.limits)
                if prelude.isEmpty { return try connection.exchange([command], limit).first ?? PostgreSQLRows() }
                // Behind a pooler, settings need a transaction.
                let all = [PostgreSQLTransaction.Kind.reading.begin] + prelude + [command, .commit]
                let answers = try PostgreSQLTransaction.recovering(connection, limit) { () throws(StoreError) in
                    try connection.exchange(all, limit)
                }
                return answers[answers.count - 2]
            }
        }

        /// Runs several statements in one transaction and one round trip.
        ///
        /// - Parameters:
        ///   - commands: The statements.
        ///   - kind: What the transaction sees of others.
        ///   - last: A statement that runs after the transaction is stored, in the same round trip.
        /// - Returns: The answer to each of the commands.
        /// - Throws: As ``transaction(_:_:)``.
        package func perform(
            _ commands: [PostgreSQLCommand], _ kind: PostgreSQLTransaction.Kind, then last: PostgreSQLCommand? = nil
        ) throws(StoreError) -> [PostgreSQLRows] {
            try transaction(kind) { (transaction) throws(StoreError) in try transaction.finish(commands, then: last) }
        }

        /// Runs `body` in a transaction, and stores what it did. If `body` throws, nothing is stored.
        ///
        /// - Parameters:
        ///   - kind: What the transaction sees of others.
        ///   - isLong: Whether only each of its round trips has the limit of a call, because it reads everything. Between
        ///     two of them, `body` has ``PostgreSQLLimits/idleWhileReadingAll``.
        ///   - body: It runs again if other transactions are in the way or the connection is lost before its changes are
        ///     being stored, so it must have no effect elsewhere. It must not begin another transaction.
        /// - Throws: What `body` throws, and each ``StoreError`` of the server or the connection;
        ///   ``PostgreSQLFailure/Kind/commitUnknown`` if the connection is lost while the changes are being stored.
        package func transaction<Result>(
            _ kind: PostgreSQLTransaction.Kind, isLong: Bool = false,
            _ body: (PostgreSQLTransaction) throws(StoreError) -> Result
        ) throws(StoreError) -> Result {
            try trying { (connection, attempt, limit) throws(StoreError) in
                let transaction = PostgreSQLTransaction(
                    connection, kind, server.limits, isLong ? nil : limit, attempt)
                return try PostgreSQLTransaction.recovering(connection, limit) { () throws(StoreError) in
                    let result = try body(transaction)
                    try transaction.commit()
                    return result
                }
            }
        }

        // MARK: Trying again

        /// If so many attempts fail, more would not help, unless other transactions were in the way: they end, so the limit
        /// of the call decides.
        private static let mostAttempts = 20
        /// If several connections are lost in a row, another one would be lost as well.
        private static let mostLosses = 3

        /// What a statement failed with that the server does not support now.
        private static let unsupported = "0A000"
        /// What a change fails with on a server that accepts none.
        private static let readOnly = "25006"

        /// Whether the server is a standby, which has no serializable transactions, and says only that of a change.
        private func isStandby(_ limit: TimeLimit) -> Bool {
            let question = PostgreSQLCommand.unprepared("SELECT pg_catalog.pg_is_in_recovery()")
            let answer = try? pool.withConnection(limit) { (connection) throws(StoreError) in
                try connection.exchange([question], limit).first?.boolean(0, 0)
            }
            return answer == true
        }

        private func trying<Result>(
            _ body: (PostgreSQLConnection, Int, TimeLimit) throws(StoreError) -> Result
        ) throws(StoreError) -> Result {
            let limit = TimeLimit(in: server.limits.call)
            var losses = 0
            var attempt = 0
            while true {
                do throws(StoreError) {
                    return try pool.withConnection(limit) { (connection) throws(StoreError) in
                        try body(connection, attempt, limit)
                    }
                } catch {
                    guard let failure = error.postgreSQL, failure.allowsAnotherAttempt,
                        failure.kind == .serialization || attempt + 1 < Self.mostAttempts
                    else { throw error }
                    if failure.sqlState == Self.unsupported, isStandby(limit) {
                        throw PostgreSQLFailure.error(sqlState: Self.readOnly)
                    }
                    if failure.kind == .connectionLost {
                        losses += 1
                        if losses == Self.mostLosses { throw error }
                        // The other connections to this server are probably lost too.
                        pool.close()
                    }
                    // A random pause, so that transactions in each other's way do not meet again.
                    let pause = Double.random(in: 0...1) * min(0.002 * Double(1 << min(attempt, 7)), limit.seconds)
                    usleep(UInt32(pause * 1e6))
                    if limit.isOver { throw error }
                }
                attempt += 1
            }
        }
    }
#endif

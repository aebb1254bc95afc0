// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import SecItemStore

    /// A transaction that is open. Used by the thread that began it, and only while ``PostgreSQLDatabase/transaction(_:_:)``
    /// runs.
    package final class PostgreSQLTransaction {
        /// What a transaction sees of others.
        package enum Kind: Sendable {
            /// Each statement sees what was stored when it began.
            case readCommitted
            /// The same, and nothing is changed.
            case reading
            /// All statements see one moment, and change nothing.
            case snapshot
            /// All statements see one moment.
            case repeatableRead
            /// As if no two transactions ran at the same time.
            case serializable

            var begin: PostgreSQLCommand {
                switch self {
                case .readCommitted: .unprepared("BEGIN ISOLATION LEVEL READ COMMITTED")
                case .reading: .unprepared("BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY")
                case .snapshot: .unprepared("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
                case .repeatableRead: .unprepared("BEGIN ISOLATION LEVEL REPEATABLE READ")
                case .serializable: .unprepared("BEGIN ISOLATION LEVEL SERIALIZABLE")
                }
            }
        }

        private enum Stage {
            /// Nothing is sent: `BEGIN` goes with the first statement.
            case new
            case open
            case ended
        }

        private let connection: PostgreSQLConnection
        private let kind: Kind
        let limits: PostgreSQLLimits
        private let whole: TimeLimit?
        private var stage = Stage.new
        /// How often the transaction has been tried before: 0 the first time.
        package let attempt: Int

        /// - Parameter whole: The limit of the transaction; nil if only each of its round trips has the limit of a call.
        init(
            _ connection: PostgreSQLConnection, _ kind: Kind, _ limits: PostgreSQLLimits, _ whole: TimeLimit?,
            _ attempt: Int
        ) {
            self.connection = connection
            self.kind = kind
            self.limits = limits
            self.whole = whole
            self.attempt = attempt
        }

        private var limit: TimeLimit { whole ?? TimeLimit(in: limits.call) }

        /// Runs a statement.
        ///
        /// - Throws: A ``StoreError``; the transaction can then only be left.
        package func run(_ command: PostgreSQLCommand) throws(StoreError) -> PostgreSQLRows {
            try run([command]).first ?? PostgreSQLRows()
        }

        /// Runs several statements in one round trip.
        ///
        /// - Returns: The answer to each.
        /// - Throws: The error of the first that fails, ``StoreError/Code/unavailable`` if one does not affect as many rows
        ///   as it must (``PostgreSQLCommand/affecting(_:)``); the transaction can then only be left.
        package func run(_ commands: [PostgreSQLCommand]) throws(StoreError) -> [PostgreSQLRows] {
            guard !commands.isEmpty else { return [] }
            let beginning = try beginning()
            let answers = Array(try connection.exchange(beginning + commands, limit).dropFirst(beginning.count))
            for (command, answer) in zip(commands, answers) {
                guard command.affectedCount == nil || command.affectedCount == answer.affected else {
                    throw StoreError(
                        .unavailable,
                        "PostgreSQL: the server left out a change: row-level security, a rule or a trigger is in the way"
                    )
                }
            }
            return answers
        }

        /// Runs several statements and stores the transaction, in one round trip. Nothing can follow.
        ///
        /// If a statement must affect a certain number of rows, the transaction is stored in a second round trip, after
        /// the numbers were compared.
        ///
        /// - Parameters:
        ///   - commands: The statements of the transaction.
        ///   - last: A statement that runs after the transaction is stored, in the same round trip.
        /// - Returns: The answer to each of the commands.
        /// - Throws: The error of the first that fails; then nothing is stored. If the connection is lost,
        ///   ``PostgreSQLFailure/Kind/commitUnknown``, unless the transaction changes nothing.
        package func finish(
            _ commands: [PostgreSQLCommand], then last: PostgreSQLCommand? = nil
        ) throws(StoreError) -> [PostgreSQLRows] {
            if commands.contains(where: { $0.affectedCount != nil }) {
                let answers = try run(commands)
                _ = try finish([], then: last)
                return answers
            }
            let beginning = try beginning()
            stage = .ended
            do throws(StoreError) {
                let end = [.commit] + (last.map { [$0] } ?? [])
                let answers = try connection.exchange(beginning + commands + end, limit)
                guard answers[answers.count - end.count].isCommitted else {
                    throw StoreError(
                        .io, "PostgreSQL: the transaction had failed, and nothing of it is stored",
                        underlying: PostgreSQLFailure(.other))
                }
                return Array(answers.dropFirst(beginning.count).prefix(commands.count))
            } catch {
                throw isOutcomeUnknown(error) ? StoreError.connectionLost(isCommitUnknown: true) : error
            }
        }

        /// Stores the transaction, unless ``finish(_:then:)`` did, or nothing was sent.
        func commit() throws(StoreError) {
            guard stage == .open else { return }
            _ = try finish([])
        }

        private func beginning() throws(StoreError) -> [PostgreSQLCommand] {
            switch stage {
            case .new:
                stage = .open
                let settings = whole == nil ? [SessionSettings.longIdle(limits)] : []
                return [kind.begin] + Self.prelude(connection, limits) + settings
            case .open: return []
            case .ended: throw StoreError(.unavailable, "PostgreSQL: the transaction has ended")
            }
        }

        /// Whether the changes may have been stored although the server did not confirm it.
        private func isOutcomeUnknown(_ error: StoreError) -> Bool {
            if kind == .snapshot || kind == .reading { return false }
            switch error.postgreSQL?.kind {
            // Without a code from the server, nothing tells how far it came.
            case .connectionLost, .timeout, .other: return connection.isBroken
            default: return false
            }
        }

        // MARK: What all transactions share

        /// What comes after `BEGIN` behind a pooler, where a session keeps no settings.
        static func prelude(_ connection: PostgreSQLConnection, _ limits: PostgreSQLLimits) -> [PostgreSQLCommand] {
            guard connection.isPooled else { return [] }
            return [
                SessionSettings.ownNames,
                .unprepared(
                    SessionSettings.sqlForTransaction, .textList(SessionSettings.names),
                    .textList(SessionSettings.values(limits))),
            ]
        }

        /// Runs `body`, and leaves the transaction if it throws, so that the connection can be used again.
        static func recovering<Result>(
            _ connection: PostgreSQLConnection, _ limit: TimeLimit, _ body: () throws(StoreError) -> Result
        ) throws(StoreError) -> Result {
            do throws(StoreError) {
                return try body()
            } catch {
                if !connection.isBroken, connection.isInTransaction {
                    do throws(StoreError) {
                        _ = try connection.exchange([.unprepared("ROLLBACK")], limit)
                    } catch {
                        // The server leaves the transaction when the connection ends.
                        connection.markBroken()
                    }
                }
                throw error
            }
        }
    }

    extension PostgreSQLCommand {
        static let commit = PostgreSQLCommand.unprepared("COMMIT")
    }
#endif

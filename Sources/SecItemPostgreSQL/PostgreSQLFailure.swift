// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import SecItemStore

    /// What the server or the connection to it said. It is the `underlying` error of a `StoreError`.
    ///
    /// It has a code and never a text of the server's: such a text can have values of rows in it, and a hostile server
    /// could send back what it was told.
    package struct PostgreSQLFailure: RemoteFailure, Sendable, CustomStringConvertible {
        /// What a caller can do about it.
        package enum Kind: Sendable {
            /// A unique index has that value. ``PostgreSQLFailure/constraint`` says which.
            case duplicate
            /// Another transaction was in the way. Nothing has changed, and the transaction can be run again.
            case serialization
            /// The session does not fit the database any more. Nothing has changed; a new connection helps.
            case stale
            /// The connection was lost, and nothing of the transaction is stored.
            case connectionLost
            /// The connection was lost while the transaction was being stored. Nobody knows whether it is.
            case commitUnknown
            /// The time limit has passed.
            case timeout
            /// No server answers at any of the addresses.
            case unreachable
            /// The server does not accept the role, its password or its certificate.
            case authentication
            /// The role may not do this.
            case permission
            /// The server accepts no changes: it is a standby.
            case readOnly
            /// The server has no room left.
            case full
            /// The table or the schema is not there.
            case missingTable
            /// The keychain is not in the database any more: it has other keys now, or was deleted. Nothing has changed.
            case missingKeychain
            /// Anything else.
            case other
        }

        /// What a caller can do about it.
        package let kind: Kind
        /// The five characters with which PostgreSQL names the error, if the server sent any.
        package let sqlState: String?
        /// The name of the violated constraint, if it is one of the library's own.
        package let constraint: String?

        package init(_ kind: Kind, sqlState: String? = nil, constraint: String? = nil) {
            self.kind = kind
            self.sqlState = sqlState
            self.constraint = constraint
        }

        /// The code and the constraint.
        package var description: String {
            let state = sqlState.map { "SQLSTATE \($0)" } ?? "no SQLSTATE"
            return constraint.map { "\(state), constraint \($0)" } ?? state
        }

        /// Whether the same transaction may be run again, because nothing of it is stored.
        var allowsAnotherAttempt: Bool {
            switch kind {
            case .serialization, .stale, .connectionLost: true
            default: false
            }
        }

        /// A server that has too many connections is out of reach too.
        package var isOutOfReach: Bool {
            switch kind {
            case .connectionLost, .commitUnknown, .timeout, .unreachable: true
            default: sqlState?.hasPrefix("53") == true
            }
        }

        package var isOutcomeUnknown: Bool { kind == .commitUnknown }

        // MARK: The table of codes

        private struct Row {
            /// The first characters of the code. The longest match counts.
            let prefix: String
            let kind: Kind
            let code: StoreError.Code
            let message: String
        }

        /// A wrong password of the role is `unavailable`: `authenticationFailed` would say that the keychain's own
        /// passphrase is wrong, and a program might ask a person for that.
        private static let rows: [Row] = [
            Row(prefix: "08", kind: .connectionLost, code: .unavailable, message: "the connection was lost"),
            Row(prefix: "0A", kind: .other, code: .unsupported, message: "the server does not support the statement"),
            Row(prefix: "0A000", kind: .stale, code: .unavailable, message: "the tables changed under the session"),
            Row(prefix: "22", kind: .other, code: .unrepresentable, message: "the server does not take a value"),
            Row(prefix: "23505", kind: .duplicate, code: .duplicate, message: "such a row exists"),
            Row(
                prefix: "23503", kind: .missingKeychain, code: .unavailable,
                message: "the keychain is not in the database any more"),
            Row(prefix: "23", kind: .other, code: .corrupt, message: "a constraint of the tables is violated"),
            Row(prefix: "25006", kind: .readOnly, code: .readOnly, message: "the server accepts no changes"),
            Row(
                prefix: "25P03", kind: .connectionLost, code: .unavailable, message: "the transaction was idle too long"
            ),
            Row(prefix: "26000", kind: .stale, code: .unavailable, message: "the session lost its statements"),
            Row(
                prefix: "28", kind: .authentication, code: .unavailable,
                message: "the server does not accept the role, its password or its certificate"),
            Row(prefix: "3D000", kind: .other, code: .unavailable, message: "the server has no such database"),
            Row(prefix: "3F000", kind: .missingTable, code: .unavailable, message: "the schema is not there"),
            Row(prefix: "40003", kind: .commitUnknown, code: .unavailable, message: "nobody knows what was stored"),
            Row(prefix: "40", kind: .serialization, code: .unavailable, message: "other transactions were in the way"),
            Row(prefix: "42501", kind: .permission, code: .unavailable, message: "the role may not do this"),
            Row(prefix: "42703", kind: .missingTable, code: .unavailable, message: "a column is not there"),
            Row(prefix: "42P01", kind: .missingTable, code: .unavailable, message: "a table is not there"),
            Row(prefix: "53100", kind: .full, code: .full, message: "the server's disk is full"),
            Row(prefix: "53300", kind: .other, code: .unavailable, message: "the server has too many connections"),
            Row(prefix: "53", kind: .other, code: .unavailable, message: "the server lacks memory or another resource"),
            Row(prefix: "54", kind: .other, code: .tooLarge, message: "a value is larger than the server takes"),
            Row(prefix: "55P03", kind: .timeout, code: .unavailable, message: "another transaction holds a lock"),
            Row(prefix: "57014", kind: .timeout, code: .unavailable, message: "the statement took too long"),
            Row(prefix: "57P", kind: .connectionLost, code: .unavailable, message: "the server ended the session"),
            Row(prefix: "58", kind: .other, code: .io, message: "the server could not read or write its files"),
            Row(prefix: "XX001", kind: .other, code: .corrupt, message: "the server's files are damaged"),
            Row(prefix: "XX002", kind: .other, code: .corrupt, message: "an index of the server is damaged"),
        ]

        /// The error that a code means.
        ///
        /// - Parameters:
        ///   - sqlState: What the server sent. Anything but five digits and capital letters counts as nothing.
        ///   - constraint: The name of a constraint that the server sent. It is dropped unless it is one of ours.
        package static func error(sqlState: String?, constraint: String? = nil) -> StoreError {
            let sqlState = sqlState.flatMap { isSQLState($0) ? $0 : nil }
            let found = rows.filter { sqlState?.hasPrefix($0.prefix) == true }.max { $0.prefix.count < $1.prefix.count }
            let failure = PostgreSQLFailure(
                found?.kind ?? .other, sqlState: sqlState,
                constraint: constraint.flatMap { PostgreSQLSchema.constraints.contains($0) ? $0 : nil })
            return StoreError(
                found?.code ?? .io, "PostgreSQL: " + (found?.message ?? "the server reports an error"),
                underlying: failure)
        }

        /// Whether the text has the form of a code.
        static func isSQLState(_ text: String) -> Bool {
            text.utf8.count == 5
                && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) }
        }
    }

    extension StoreError {
        /// What the server or the connection said, if this error comes from there.
        package var postgreSQL: PostgreSQLFailure? { underlying as? PostgreSQLFailure }

        static func connectionLost(isCommitUnknown: Bool = false) -> StoreError {
            isCommitUnknown
                ? StoreError(
                    .unavailable, "PostgreSQL: the connection was lost while a change was being stored",
                    underlying: PostgreSQLFailure(.commitUnknown))
                : StoreError(
                    .unavailable, "PostgreSQL: the connection was lost", underlying: PostgreSQLFailure(.connectionLost))
        }

        /// The keychain is not in the database any more.
        static var missingKeychain: StoreError { PostgreSQLFailure.error(sqlState: "23503") }

        /// The time limit has passed.
        static func timeLimit(_ what: String) -> StoreError {
            StoreError(
                .unavailable, "PostgreSQL: \(what) within the time limit", underlying: PostgreSQLFailure(.timeout))
        }
    }
#endif

// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    /// How long a call may take, and how much it may use.
    package struct PostgreSQLLimits: Sendable {
        /// The limits that a store uses unless a test sets others.
        package static let standard = PostgreSQLLimits()

        /// The seconds that opening a connection may take, for all hosts together.
        package var connecting = 10.0
        /// The seconds that a call of the store may take, with everything that it tries again.
        package var call = 30.0
        /// The seconds that the server waits for the next request of a transaction that reads all items.
        package var idleWhileReadingAll = 600.0
        /// The seconds that a statement waits on the server for another transaction's locks.
        package var lock = 10.0
        /// The greatest number of connections of a process.
        package var connections = 4
        /// The greatest number of bytes that the server may send in answer to one flight of statements.
        package var answerBytes = 256 << 20

        /// The limits of ``standard``.
        package init() {}
    }
#endif

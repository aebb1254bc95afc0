// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import Foundation
    import SecItemStore

    /// The connections of a process to one database: a few, for any number of threads.
    ///
    /// A forked child opens its own. It closes its copies of the parent's sockets without a word to the server, and the
    /// parent goes on with its connections. A fork waits while a connection is being opened, because the C library,
    /// libpq and OpenSSL hold locks then that nobody in the child would free. For statements it waits only briefly.
    final class ConnectionPool: ForkAware, @unchecked Sendable {
        private let server: PostgreSQLServer
        private var limits: PostgreSQLLimits { server.limits }

        // Guarded by `mutex`.
        private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
        private let returned = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
        private var idle: [(connection: PostgreSQLConnection, until: TimeLimit)] = []
        private var lent: [ObjectIdentifier: PostgreSQLConnection] = [:]
        /// The number of connections that somebody uses or opens.
        private var lentCount = 0

        // Written by the fork handlers only, while nobody else runs.
        private let statements = ForkableGate()
        private let openings = ForkableGate()
        private var isStatementGateClosed = false
        private var isOpeningGateClosed = false
        private var isUnusable = false
        private var processID = getpid()

        /// The seconds after which an unused connection is closed. Firewalls forget connections after some minutes.
        private static let idleTime = 240.0
        /// The seconds for which a fork waits for statements.
        private static let patience = 2

        init(_ server: PostgreSQLServer) {
            self.server = server
            makeLocks()
            ForkHandlers.register(self, stopping: .operations)
        }

        deinit {
            // In a child that was not forked with fork(), the locks are the parent's, but nobody waits for them.
            pthread_mutex_destroy(mutex)
            pthread_cond_destroy(returned)
            mutex.deallocate()
            returned.deallocate()
        }

        private func makeLocks() {
            pthread_mutex_init(mutex, nil)
            var attributes = pthread_condattr_t()
            pthread_condattr_init(&attributes)
            pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
            pthread_cond_init(returned, &attributes)
            pthread_condattr_destroy(&attributes)
        }

        // MARK: Lending

        /// Lends a connection to `body`, which must not ask for another one.
        ///
        /// - Throws: ``StoreError/Code/unavailable`` if none is free or can be opened within the time limit.
        func withConnection<Result>(
            _ limit: TimeLimit, _ body: (PostgreSQLConnection) throws(StoreError) -> Result
        ) throws(StoreError) -> Result {
            // A lock of the parent's must not be waited for: this comes first.
            if processID != getpid() || isUnusable { throw Self.unusable }
            return try statements.withPassage { () throws(StoreError) in
                let connection = try lend(limit)
                defer { takeBack(connection) }
                return try body(connection)
            }
        }

        // MARK: Connections of somebody's own

        /// Opens a connection that never belongs to the pool. A fork waits meanwhile.
        ///
        /// - Parameter keep: Receives it before a fork can happen. Whoever keeps it gives it up in the child of a fork.
        /// - Throws: ``StoreError/Code/unavailable`` if none can be opened within the time limit.
        func openApart(_ limit: TimeLimit, _ keep: (PostgreSQLConnection) -> Void) throws(StoreError) {
            if processID != getpid() || isUnusable { throw Self.unusable }
            let opening = limit.atMost(limits.connecting)
            try openings.withPassage { () throws(StoreError) in
                keep(try PostgreSQLConnection.open(try server.routes(opening), limits, opening))
            }
        }

        /// Runs `body`, which uses such a connection. A fork waits briefly for it, as for a statement.
        func using<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
            if processID != getpid() || isUnusable { throw Self.unusable }
            return try statements.withPassage(body)
        }

        private static let unusable = StoreError(
            .unavailable,
            "PostgreSQL: the process forked while a connection was being opened: open the store again, or fork with fork()"
        )

        private func lend(_ limit: TimeLimit) throws(StoreError) -> PostgreSQLConnection {
            if let connection = try reserve(limit) { return connection }
            do throws(StoreError) {
                let opening = limit.atMost(limits.connecting)
                let connection = try openings.withPassage { () throws(StoreError) in
                    try PostgreSQLConnection.open(try server.routes(opening), limits, opening)
                }
                withMutex { lent[ObjectIdentifier(connection)] = connection }
                return connection
            } catch {
                withMutex { release() }
                throw error
            }
        }

        /// Takes an idle connection, or the right to open one, which is nil.
        private func reserve(_ limit: TimeLimit) throws(StoreError) -> PostgreSQLConnection? {
            var dropped: [PostgreSQLConnection] = []
            // Closed after the lock is free.
            defer { withExtendedLifetime(dropped) {} }
            pthread_mutex_lock(mutex)
            defer { pthread_mutex_unlock(mutex) }
            while lentCount >= limits.connections {
                var time = limit.time
                if pthread_cond_timedwait(returned, mutex, &time) == ETIMEDOUT, lentCount >= limits.connections {
                    throw StoreError.timeLimit("no connection became free")
                }
            }
            lentCount += 1
            while let (connection, until) = idle.popLast() {
                if !until.isOver, connection.isUsable() {
                    lent[ObjectIdentifier(connection)] = connection
                    return connection
                }
                dropped.append(connection)
            }
            return nil
        }

        private func takeBack(_ connection: PostgreSQLConnection) {
            let isUsable = connection.isUsable()
            withMutex {
                lent[ObjectIdentifier(connection)] = nil
                if isUsable { idle.append((connection, TimeLimit(in: Self.idleTime))) }
                release()
            }
        }

        private func release() {
            // A child forgets what its parent has lent.
            lentCount = max(0, lentCount - 1)
            pthread_cond_signal(returned)
        }

        private func withMutex(_ body: () -> Void) {
            pthread_mutex_lock(mutex)
            body()
            pthread_mutex_unlock(mutex)
        }

        /// Closes the connections that nobody uses.
        func close() {
            if processID != getpid() || isUnusable { return }
            var dropped: [PostgreSQLConnection] = []
            withMutex {
                dropped = idle.map(\.connection)
                idle = []
            }
            withExtendedLifetime(dropped) {}
        }

        // MARK: Forks

        func willFork() {
            isStatementGateClosed = statements.close(patience: Self.patience)
            isOpeningGateClosed = openings.close(patience: Int(limits.connecting.rounded(.up)) + 1)
            pthread_mutex_lock(mutex)
            // A rehearsal for the child: Swift creates the types of a loop when it first runs.
            let kept = (idle, lent)
            forgetConnections(inChild: false)
            (idle, lent) = kept
        }

        func didForkInParent() {
            pthread_mutex_unlock(mutex)
            if isOpeningGateClosed { openings.open() }
            if isStatementGateClosed { statements.open() }
        }

        func didForkInChild() {
            processID = getpid()
            HostAddress.didForkInChild()
            isUnusable = isUnusable || !isOpeningGateClosed
            forgetConnections(inChild: true)
            lentCount = 0
            makeLocks()
            statements.reset()
            openings.reset()
        }

        private func forgetConnections(inChild: Bool) {
            for (connection, _) in idle where inChild { connection.abandonInChild() }
            for connection in lent.values where inChild { connection.abandonInChild() }
            idle = []
            lent = [:]
        }
    }
#endif

// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import Foundation
    import SecItemStore

    /// The connections of a process to one database: a few, for any number of threads.
    ///
    /// A child process opens its own. It closes its copies of the parent's sockets without a word to the server, and the
    /// parent goes on with its connections.
    final class ConnectionPool: @unchecked Sendable {
        private let server: PostgreSQLServer
        private var limits: PostgreSQLLimits { server.limits }

        // Guarded by `mutex`.
        private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
        private let returned = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
        private var idle: [(connection: PostgreSQLConnection, until: TimeLimit)] = []
        /// The number of connections that somebody uses or opens.
        private var lentCount = 0
        private var processID = getpid()

        /// The seconds after which an unused connection is closed. Firewalls forget connections after some minutes.
        private static let idleTime = 240.0

        init(_ server: PostgreSQLServer) {
            self.server = server
            pthread_mutex_init(mutex, nil)
            var attributes = pthread_condattr_t()
            pthread_condattr_init(&attributes)
            pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
            pthread_cond_init(returned, &attributes)
            pthread_condattr_destroy(&attributes)
        }

        deinit {
            pthread_mutex_destroy(mutex)
            pthread_cond_destroy(returned)
            mutex.deallocate()
            returned.deallocate()
        }

        // MARK: Lending

        /// Lends a connection to `body`, which must not ask for another one.
        ///
        /// - Throws: ``StoreError/Code/unavailable`` if none is free or can be opened within the time limit.
        func withConnection<Result>(
            _ limit: TimeLimit, _ body: (PostgreSQLConnection) throws(StoreError) -> Result
        ) throws(StoreError) -> Result {
            let connection = try lend(limit)
            defer { takeBack(connection) }
            return try body(connection)
        }

        /// Opens a connection that never belongs to the pool.
        ///
        /// - Throws: ``StoreError/Code/unavailable`` if none can be opened within the time limit.
        func openApart(_ limit: TimeLimit) throws(StoreError) -> PostgreSQLConnection {
            let opening = limit.atMost(limits.connecting)
            return try PostgreSQLConnection.open(try server.routes(opening), limits, opening)
        }

        private func lend(_ limit: TimeLimit) throws(StoreError) -> PostgreSQLConnection {
            if let connection = try reserve(limit) { return connection }
            do throws(StoreError) {
                return try openApart(limit)
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
            forgetConnectionsOfParent()
            while lentCount >= limits.connections {
                var time = limit.time
                if pthread_cond_timedwait(returned, mutex, &time) == ETIMEDOUT, lentCount >= limits.connections {
                    throw StoreError.timeLimit("no connection became free")
                }
            }
            lentCount += 1
            while let (connection, until) = idle.popLast() {
                if !until.isOver, connection.isUsable() { return connection }
                dropped.append(connection)
            }
            return nil
        }

        private func takeBack(_ connection: PostgreSQLConnection) {
            let isUsable = connection.isUsable()
            withMutex {
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
            var dropped: [PostgreSQLConnection] = []
            withMutex {
                forgetConnectionsOfParent()
                dropped = idle.map(\.connection)
                idle = []
            }
            withExtendedLifetime(dropped) {}
        }

        /// In a child, gives up the parent's connections. The caller has `mutex`.
        private func forgetConnectionsOfParent() {
            guard processID != getpid() else { return }
            processID = getpid()
            for (connection, _) in idle { connection.abandonInChild() }
            idle = []
            lentCount = 0
        }
    }
#endif

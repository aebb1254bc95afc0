// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import Foundation
    import SecItemStore

    /// Listens on a channel of the database, on a connection and a thread of its own, until it is stopped.
    ///
    /// If the connection is lost, it opens another one, after pauses that grow. A child process does not inherit the thread;
    /// ``start()`` starts another one there.
    final class PostgreSQLListener: @unchecked Sendable {
        /// What happens.
        enum Report: Sendable {
            /// The server reports what happens from now on.
            case listening
            /// Notifications with these payloads have arrived.
            case notified([String])
            /// No connection can be opened, or it was lost.
            case failed(StoreError)
            /// A pooler keeps notifications away. The thread has ended.
            case deaf
        }

        private let pool: ConnectionPool
        private let limits: PostgreSQLLimits
        private let firstPause: Double
        private let channel: @Sendable () throws(StoreError) -> String?
        private let report: @Sendable (Report) -> Void

        private struct State: Sendable {
            var isRunning = false
            var isStopped = false
            /// The two ends of a pair of sockets that wakes the thread. Negative while there is none.
            var wake: [Int32] = [-1, -1]
            var connection: PostgreSQLConnection?
            /// The process whose thread runs.
            var process = getpid()

            mutating func closeWake() {
                if wake[0] >= 0 { close(wake[0]) }
                if wake[1] >= 0 { close(wake[1]) }
                wake = [-1, -1]
            }

            /// In a child, gives up what belongs to the parent's thread.
            mutating func forgetParent() {
                guard process != getpid() else { return }
                process = getpid()
                connection?.abandonInChild()
                connection = nil
                isRunning = false
                closeWake()
            }
        }

        private let state = LockedValue(State())

        /// The longest pause between two attempts to connect, in seconds.
        private static let longestPause = 10.0
        /// The pause while there is no channel yet, in seconds.
        private static let pauseWithoutChannel = 2.0

        init(
            _ pool: ConnectionPool, _ limits: PostgreSQLLimits, pause: Double,
            channel: @escaping @Sendable () throws(StoreError) -> String?,
            report: @escaping @Sendable (Report) -> Void
        ) {
            self.pool = pool
            self.limits = limits
            firstPause = pause
            self.channel = channel
            self.report = report
        }

        // MARK: Start and end

        /// Starts the thread, unless it runs in this process or was stopped.
        ///
        /// - Returns: False if the system has no thread or no descriptor to give. Then nothing is reported, and the caller
        ///   tries again later.
        func start() -> Bool {
            state.withLock { state in
                state.forgetParent()
                guard !state.isRunning, !state.isStopped else { return true }
                let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
                guard socketpair(AF_UNIX, type, 0, &state.wake) == 0 else { return false }
                state.isRunning = DetachedThread.start { [self] in run() }
                if !state.isRunning { state.closeWake() }
                return state.isRunning
            }
        }

        /// Ends the thread soon. Later calls of ``start()`` do nothing.
        func stop() {
            state.withLock { state in
                // Otherwise the child would wake its parent's thread.
                state.forgetParent()
                state.isStopped = true
                if state.wake[1] >= 0 { _ = send(state.wake[1], "!", 1, Int32(MSG_NOSIGNAL)) }
            }
        }

        // MARK: The thread

        private func run() {
            defer {
                var dropped: PostgreSQLConnection?
                state.withLock { state in
                    swap(&dropped, &state.connection)
                    state.isRunning = false
                    state.closeWake()
                }
            }
            var pause = firstPause
            while wait(seconds: pause) {
                do throws(StoreError) {
                    guard let channel = try channel() else {
                        pause = Self.pauseWithoutChannel
                        continue
                    }
                    let connection = try open()
                    if connection.isPooled { return report(.deaf) }
                    // The name has no character that SQL gives a meaning to.
                    _ = try connection.exchange(
                        [.unprepared("LISTEN \"\(channel)\"")], TimeLimit(in: limits.connecting))
                    pause = 0.5
                    report(.listening)
                    try listen(connection)
                    return
                } catch {
                    var dropped: PostgreSQLConnection?
                    state.withLock { swap(&dropped, &$0.connection) }
                    dropped?.markBroken()
                    report(.failed(error))
                    // A random part, so that the programs of a fleet do not all return at the same moment.
                    pause = min(max(pause, 0.25) * 2, Self.longestPause) * Double.random(in: 0.75...1)
                }
            }
        }

        private func open() throws(StoreError) -> PostgreSQLConnection {
            let connection = try pool.openApart(TimeLimit(in: limits.connecting))
            state.withLock { $0.connection = connection }
            return connection
        }

        /// Reports what arrives, until it is stopped.
        private func listen(_ connection: PostgreSQLConnection) throws(StoreError) {
            while true {
                // Also before the first wait: something may have arrived together with an answer.
                let payloads = try connection.notifications()
                if !payloads.isEmpty { report(.notified(payloads)) }
                var entries = [
                    pollfd(fd: connection.descriptor, events: Int16(POLLIN), revents: 0),
                    pollfd(fd: state.withLock { $0.wake[0] }, events: Int16(POLLIN), revents: 0),
                ]
                guard entries[0].fd >= 0 else { throw StoreError.connectionLost() }
                let count = poll(&entries, 2, -1)
                if count < 0, errno != EINTR { throw StoreError.connectionLost() }
                if isToEnd { return }
                guard entries[0].revents & Int16(POLLNVAL) == 0 else { throw StoreError.connectionLost() }
            }
        }

        private var isToEnd: Bool { state.withLock { $0.isStopped } }

        /// Waits, at least as long as nobody stops it.
        ///
        /// - Returns: Whether to go on.
        private func wait(seconds: Double) -> Bool {
            let limit = TimeLimit(in: seconds)
            while !isToEnd, !limit.isOver {
                var entry = pollfd(fd: state.withLock { $0.wake[0] }, events: Int16(POLLIN), revents: 0)
                _ = poll(&entry, 1, limit.milliseconds)
            }
            return !isToEnd
        }
    }
#endif

// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import CLibpq
    import Foundation
    import SecItemStore

    /// One connection to the server. Used by one thread at a time.
    ///
    /// It stays in libpq's pipeline mode, so that several statements need one round trip, and never waits in libpq: all
    /// waiting is in ``wait(for:_:)``, with a time limit.
    final class PostgreSQLConnection: @unchecked Sendable {
        private let connection: OpaquePointer
        private let limits: PostgreSQLLimits
        private let processID = getpid()
        /// Whether a pooler such as PgBouncer is between this process and the server. Then no setting and no prepared
        /// statement is kept from one transaction to the next.
        private(set) var isPooled = false
        /// The names of the statements that the session has prepared, by their text.
        private var prepared: [String: String] = [:]
        /// More than the library has. A session keeps each until it ends.
        private static let mostPrepared = 128
        /// Whether the session can no longer be used.
        private(set) var isBroken = false

        // MARK: Opening

        /// Opens a connection: the first of the routes that leads to a server that accepts it.
        ///
        /// - Throws: ``StoreError/Code/unavailable`` if none does within the time limit.
        static func open(
            _ routes: [Route], _ limits: PostgreSQLLimits, _ limit: TimeLimit
        ) throws(StoreError) -> PostgreSQLConnection {
            var failure: StoreError?
            for (index, route) in routes.enumerated() {
                do throws(StoreError) {
                    // A host that does not answer leaves time for the others.
                    let share = limit.seconds / Double(routes.count - index)
                    return try PostgreSQLConnection(route, limits, limit.atMost(share))
                } catch {
                    // Other hosts have the same roles and passwords.
                    if error.postgreSQL?.kind == .authentication { throw error }
                    failure = failure ?? error
                }
                if limit.isOver { break }
            }
            throw failure ?? .timeLimit("no server answers")
        }

        private init(_ route: Route, _ limits: PostgreSQLLimits, _ limit: TimeLimit) throws(StoreError) {
            let started = withParameters(route.parameters) { PQconnectStartParams($0, $1, 1) }
            guard let started else { throw StoreError(.unavailable, "PostgreSQL: there is not enough memory") }
            connection = started
            self.limits = limits
            // From here on `deinit` closes it.
            PQsetErrorVerbosity(connection, PQERRORS_SQLSTATE)
            PQsetNoticeReceiver(connection, { ServerNotice.log($1) }, nil)
            try connect(limit)
            guard PQsetnonblocking(connection, 1) == 0, PQenterPipelineMode(connection) == 1 else {
                throw StoreError.connectionLost()
            }
            guard PQserverVersion(connection) >= 12_00_00 else {
                throw StoreError(.unavailable, "PostgreSQL: the server is older than version 12; use a newer server")
            }
            // Behind a pooler, this sets nothing, because the pooler may give the session to another program next. The
            // statement recognises a pooler by the process number that it invents, which is not the server's.
            let isOurs = try exchange(
                [
                    .unprepared("BEGIN"), SessionSettings.ownNames,
                    .unprepared(
                        SessionSettings.sqlForOwnSession, .integer(Int64(PQbackendPID(connection))),
                        .textList(SessionSettings.names), .textList(SessionSettings.values(limits))), .commit,
                ], limit)
            isPooled = try isOurs[2].boolean(0, 0) != true
            if isPooled { ServerNotice.logPooler() }
        }

        private func connect(_ limit: TimeLimit) throws(StoreError) {
            defer { arrived = 0 }
            var next = PGRES_POLLING_WRITING
            while PQstatus(connection) != CONNECTION_BAD {
                switch next {
                case PGRES_POLLING_OK: return
                case PGRES_POLLING_READING:
                    _ = try wait(for: Int16(POLLIN), limit, "the server did not accept the connection")
                case PGRES_POLLING_WRITING: _ = try wait(for: Int16(POLLOUT), limit, "the server was not reached")
                default: break
                }
                if next == PGRES_POLLING_FAILED { break }
                // A server that greets without end fills the memory.
                var waiting: Int32 = 0
                if ioctl(PQsocket(connection), UInt(FIONREAD), &waiting) == 0 { arrived += Int(waiting) }
                guard arrived <= Self.headers else { throw Self.tooMuch }
                next = PQconnectPoll(connection)
            }
            throw ConnectionFailure.error(String(cString: PQerrorMessage(connection)))
        }

        deinit {
            // In a child, the connection belongs to the parent, which continues to use it, and its state is unknown.
            guard processID == getpid() else { return }
            // In non-blocking mode, this never waits.
            PQfinish(connection)
        }

        /// Gives up the connection in a child process. It sends nothing, because the parent continues to use the session.
        ///
        /// libpq's memory is not released, because releasing it would end the session.
        func abandonInChild() {
            isBroken = true
            let descriptor = PQsocket(connection)
            if descriptor >= 0 { close(descriptor) }
        }

        // MARK: Health

        /// Whether an idle connection can be used. It cannot if the server has ended the session.
        func isUsable() -> Bool {
            guard !isBroken, PQstatus(connection) == CONNECTION_OK, PQtransactionStatus(connection) == PQTRANS_IDLE
            else {
                return false
            }
            // A notice or a changed setting does no harm. The end of a session arrives as a message, and then the
            // stream ends.
            for _ in 0..<8 {
                var entry = pollfd(fd: PQsocket(connection), events: Int16(POLLIN), revents: 0)
                if poll(&entry, 1, 0) == 0 { return true }
                guard PQconsumeInput(connection) == 1, PQisBusy(connection) == 0, PQstatus(connection) == CONNECTION_OK
                else { return false }
            }
            return false
        }

        /// What a person may want to know of the connection.
        ///
        /// - Throws: As ``exchange(_:_:)``.
        func report(_ limit: TimeLimit) throws(StoreError) -> ConnectionReport {
            let question = PostgreSQLCommand.unprepared(
                "SELECT pg_catalog.current_setting('server_version'), pg_catalog.pg_is_in_recovery()")
            let answer = try exchange([question], limit).first ?? PostgreSQLRows()
            let options = PQconninfo(connection)
            defer { PQconninfoFree(options) }
            let host = PQhost(connection).map { String(cString: $0) } ?? ""
            let protocolName = PQsslAttribute(connection, "protocol").map { String(cString: $0) }
            return ConnectionReport(
                // A packager's name may follow the number.
                serverVersion: String(answer.text(0, 0).prefix { $0 != " " }),
                role: PQuser(connection).map { String(cString: $0) } ?? "",
                host: host, isSocket: host.hasPrefix("/") || host.hasPrefix("@"),
                tls: PQsslInUse(connection) == 1 ? protocolName ?? "TLS" : nil,
                verification: options.flatMap { ConnectionOptions.entries($0)["sslmode"] } ?? "prefer",
                isPooled: isPooled, isStandby: try answer.boolean(0, 1))
        }

        /// Whether a transaction is open on the server, as far as is known.
        var isInTransaction: Bool { PQtransactionStatus(connection) != PQTRANS_IDLE }

        /// Makes the pool close the connection instead of keeping it.
        func markBroken() { isBroken = true }

        // MARK: Notifications

        /// The socket's descriptor, or a negative number if there is none.
        var descriptor: Int32 { isBroken ? -1 : PQsocket(connection) }

        /// The payloads of the notifications that have arrived. Does not wait.
        ///
        /// - Throws: ``StoreError/Code/unavailable`` if the connection is lost.
        func notifications() throws(StoreError) -> [String] {
            guard processID == getpid(), PQconsumeInput(connection) == 1, PQstatus(connection) == CONNECTION_OK else {
                throw StoreError.connectionLost()
            }
            var payloads: [String] = []
            while let notification = PQnotifies(connection) {
                payloads.append(String(cString: notification.pointee.extra))
                PQfreemem(notification)
            }
            // The end of the session arrives as a message.
            guard PQstatus(connection) == CONNECTION_OK else { throw StoreError.connectionLost() }
            return payloads
        }

        // MARK: Statements

        /// Sends the commands in one flight and gives their answers. If one fails, the server skips those after it.
        ///
        /// - Throws: The error of the first command that fails. The connection can be used further, unless it is lost or
        ///   the time limit has passed.
        func exchange(_ commands: [PostgreSQLCommand], _ limit: TimeLimit) throws(StoreError) -> [PostgreSQLRows] {
            var expected: [Answer] = []
            var isAnswered = false
            // After a failure in the middle, nobody knows which answer comes next.
            defer { if !isAnswered { isBroken = true } }
            for command in commands { try send(command, &expected) }
            guard PQpipelineSync(connection) == 1 else { throw StoreError.connectionLost() }
            var budget = limits.answerBytes
            var result: [PostgreSQLRows] = []
            var failure: StoreError?
            for answer in expected {
                var rows = PostgreSQLRows()
                let error = try receive(answer, into: &rows, &budget, limit)
                failure = failure ?? error
                if case .prepared(let sql, let name) = answer {
                    if failure == nil { prepared[sql] = name }
                } else {
                    result.append(rows)
                }
            }
            try receiveEnd(&budget, limit)
            isAnswered = true
            if let failure {
                if failure.postgreSQL?.kind == .stale || failure.postgreSQL?.kind == .connectionLost { isBroken = true }
                throw failure
            }
            return result
        }

        /// An answer that the server owes.
        private enum Answer {
            case prepared(sql: String, name: String)
            case rows
        }

        private func send(_ command: PostgreSQLCommand, _ expected: inout [Answer]) throws(StoreError) {
            let name = try prepare(command, &expected)
            let contents = command.values.map(\.binary)
            // libpq counts in `int`.
            guard contents.allSatisfy({ ($0?.count ?? 0) <= 1 << 30 }) else {
                throw StoreError(.tooLarge, "PostgreSQL: a value is larger than the server takes")
            }
            let types = command.values.map { Oid($0.type) }
            let lengths = contents.map { Int32($0?.count ?? 0) }
            let formats = [Int32](repeating: 1, count: contents.count)
            let count = Int32(contents.count)
            let isQueued = withPointers(contents) { values in
                if let name {
                    PQsendQueryPrepared(connection, name, count, values, lengths, formats, 1)
                } else {
                    PQsendQueryParams(connection, command.sql, count, types, values, lengths, formats, 1)
                }
            }
            guard isQueued == 1 else { throw StoreError.connectionLost() }
            expected.append(.rows)
        }

        /// Prepares a command in the same flight, unless the session has done so.
        ///
        /// - Returns: The name of the statement, or nil if the command is sent with its text.
        private func prepare(_ command: PostgreSQLCommand, _ expected: inout [Answer]) throws(StoreError) -> String? {
            guard command.isPrepared, !isPooled else { return nil }
            if let name = prepared[command.sql] { return name }
            for case .prepared(command.sql, let name) in expected { return name }
            let number = prepared.count + expected.count
            guard number < Self.mostPrepared else { return nil }
            // A statement that failed to prepare leaves its number free, and no name is used twice.
            preparationCount += 1
            let name = "secitem_\(preparationCount)"
            let types = command.values.map { Oid($0.type) }
            guard PQsendPrepare(connection, name, command.sql, Int32(types.count), types) == 1 else {
                throw StoreError.connectionLost()
            }
            expected.append(.prepared(sql: command.sql, name: name))
            return name
        }

        private var preparationCount = 0

        // MARK: Answers

        /// Reads the answer to one command.
        ///
        /// - Returns: The error that the server reports for it.
        private func receive(
            _ answer: Answer, into rows: inout PostgreSQLRows, _ budget: inout Int, _ limit: TimeLimit
        ) throws(StoreError) -> StoreError? {
            var failure: StoreError?
            // Each row arrives as a result of its own, so that the budget can end a flood of them.
            if case .rows = answer { PQsetSingleRowMode(connection) }
            while let result = try nextResult(&budget, limit) {
                defer { PQclear(result) }
                switch PQresultStatus(result) {
                case PGRES_SINGLE_TUPLE, PGRES_TUPLES_OK:
                    guard rows.append(result, budget: &budget) else { throw Self.tooMuch }
                    rows.affected = Int(String(cString: PQcmdTuples(result))) ?? rows.count
                case PGRES_COMMAND_OK:
                    rows.affected = Int(String(cString: PQcmdTuples(result))) ?? 0
                    rows.isCommitted = strcmp(PQcmdStatus(result), "COMMIT") == 0
                case PGRES_PIPELINE_ABORTED: break
                case PGRES_FATAL_ERROR:
                    let error = Self.error(result)
                    // Without a code, it is libpq's own: the connection is gone.
                    guard error.postgreSQL?.sqlState != nil else { throw StoreError.connectionLost() }
                    failure = failure ?? error
                // Nothing that the library asks for, such as a copy.
                default: throw Self.unexpected
                }
            }
            return failure
        }

        private func receiveEnd(_ budget: inout Int, _ limit: TimeLimit) throws(StoreError) {
            guard let result = try nextResult(&budget, limit) else { throw Self.unexpected }
            defer { PQclear(result) }
            guard PQresultStatus(result) == PGRES_PIPELINE_SYNC else { throw StoreError.connectionLost() }
        }

        /// Sends what is still to be sent, and waits for the next result.
        private func nextResult(_ budget: inout Int, _ limit: TimeLimit) throws(StoreError) -> OpaquePointer? {
            while true {
                // A log handler of the application may have gone on in a child process. The answer is the parent's then.
                guard processID == getpid() else { throw StoreError.connectionLost() }
                let unsent = PQflush(connection)
                // An error in sending: the server may have said why.
                if unsent < 0, PQconsumeInput(connection) == 0 { throw StoreError.connectionLost() }
                if PQisBusy(connection) == 0 { return PQgetResult(connection) }
                if unsent < 0 { throw StoreError.connectionLost() }
                let events = try wait(
                    for: Int16(unsent > 0 ? POLLIN | POLLOUT : POLLIN), limit, "the server did not answer")
                guard events & Int16(POLLIN | POLLHUP | POLLERR) != 0 else { continue }
                // A single message may announce any size: what arrives counts before it is complete.
                var waiting: Int32 = 0
                if ioctl(PQsocket(connection), UInt(FIONREAD), &waiting) == 0 { arrived += Int(waiting) }
                guard arrived <= limits.answerBytes + Self.headers else { throw Self.tooMuch }
                guard PQconsumeInput(connection) == 1 else { throw StoreError.connectionLost() }
                if PQisBusy(connection) == 0 { arrived = 0 }
            }
        }

        /// The bytes that arrived since the last complete message, at least.
        private var arrived = 0
        /// An allowance for everything that arrives besides values: headers of messages, and TLS.
        private static let headers = 1 << 20

        private static let tooMuch = StoreError(
            .unavailable, "PostgreSQL: the server sends more than an answer may have",
            underlying: PostgreSQLFailure(.other))
        private static let unexpected = StoreError(
            .corrupt, "PostgreSQL: the server sent an unexpected answer", underlying: PostgreSQLFailure(.other))

        private static func error(_ result: OpaquePointer) -> StoreError {
            func field(_ code: some BinaryInteger) -> String? {
                PQresultErrorField(result, Int32(code)).map { String(cString: $0) }
            }
            return PostgreSQLFailure.error(
                sqlState: field(SECITEM_PG_DIAG_SQLSTATE),
                constraint: field(SECITEM_PG_DIAG_CONSTRAINT_NAME))
        }

        // MARK: Waiting

        /// Waits until the socket can be read or written.
        ///
        /// - Returns: What it can be.
        /// - Throws: ``StoreError/Code/unavailable`` after the time limit, or if there is no socket.
        private func wait(for events: Int16, _ limit: TimeLimit, _ what: String) throws(StoreError) -> Int16 {
            while true {
                // A server that never stops sending is always ready.
                if limit.isOver { throw StoreError.timeLimit(what) }
                var entry = pollfd(fd: PQsocket(connection), events: events, revents: 0)
                guard entry.fd >= 0 else { throw StoreError.connectionLost() }
                let count = poll(&entry, 1, limit.milliseconds)
                if count > 0 {
                    // Somebody has closed the descriptor.
                    guard entry.revents & Int16(POLLNVAL) == 0 else { throw StoreError.connectionLost() }
                    return entry.revents
                }
                if count < 0, errno != EINTR { throw StoreError.connectionLost() }
            }
        }
    }

    /// Gives `body` a pointer to each of the byte strings for the duration of the call; null for nil.
    private func withPointers<Result>(
        _ contents: [[UInt8]?], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Result
    ) -> Result {
        var offsets: [Int?] = []
        var bytes: [UInt8] = []
        bytes.reserveCapacity(contents.reduce(1) { $0 + ($1?.count ?? 0) })
        for content in contents {
            offsets.append(content == nil ? nil : bytes.count)
            bytes += content ?? []
        }
        // An empty value needs an address too.
        bytes.append(0)
        return bytes.withUnsafeBytes { all in
            let start = all.baseAddress?.assumingMemoryBound(to: CChar.self)
            return body(offsets.map { offset in offset.flatMap { start?.advanced(by: $0) } })
        }
    }
#endif

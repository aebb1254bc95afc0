// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import GRDBSQLite
import Logging
import SecItemStore

/// The open database: one reader at first, then one writer and more readers, or nothing until the next use after a fork.
final class StoreConnection: IdleConnections, @unchecked Sendable {
    private enum State {
        case closed
        /// The connection that looked the database over, which is enough for a program that looks one item up. The first
        /// write, or the first look-up during another, opens the others.
        case lookedOver(FirstReader, LogFiles)
        /// The first reader stays, and answers as long as one thread at a time looks up.
        case open(OpenPool, FirstReader?)
        /// The medium is read-only.
        case readOnly(DatabaseQueue)

        /// The reader beside the pool, or before there is one.
        var firstReader: FirstReader? {
            switch self {
            case .lookedOver(let first, _): first
            case .open(_, let first): first
            case .closed, .readOnly: nil
            }
        }
    }

    /// The connections of a store that can be written, and what belongs to them.
    private struct OpenPool {
        let connections: DatabasePool
        let lock: WriterLock
        let log: LogFiles
        /// Nil if SQLite does not show which files it has open.
        let files: ConnectionFiles?

        /// Whether the program has closed none of them by mistake.
        var hasItsFiles: Bool { lock.hasItsFile && files?.areTheSame ?? true }
    }

    private let location: StoreLocation
    private let identity: FileIdentity
    private var path: String { location.databasePath }
    /// Open for operations; shut while the database is closed.
    private let gate = ConnectionGate()
    private let content: LockedValue<Content>

    private struct Content {
        var state: State
        /// The process that opened the connections.
        var process = getpid()
        /// The folder at a moment when its files were those that are open.
        var settled: FolderState?
        var isUsed = false
        /// Whether the program has closed a file of an open connection. SQLite shares files among the connections of a
        /// process, so that no new connection would be sound either.
        var hasLostFiles = false
        var warning: String?

        /// Whether a thread of the parent used the connections at the fork, so that they are open in this child. No new one
        /// would be sound either: SQLite would believe that this process has the parent's locks.
        var isInherited: Bool {
            if case .closed = state { return false }
            return process != getpid()
        }
    }

    /// A connection that opens the database when it is first needed.
    ///
    /// - Parameters:
    ///   - identity: Which file the database is; if its path names another one later, that one is not used.
    ///   - first: A connection that is open already and cannot write. The caller holds the setup lock.
    init(_ location: StoreLocation, identity: FileIdentity, goingOnWith first: ReadOnlyConnection?) {
        self.location = location
        self.identity = identity
        let state: State =
            if let first { .lookedOver(FirstReader(first), LogFiles(of: location.databasePath)) } else { .closed }
        content = LockedValue(Content(state: state))
        BeforeFork.close(self)
    }

    // MARK: Use

    /// Runs `body` with a connection for reading. One statement sees one state of the database, two may see two.
    func read<Result>(_ body: (any StatementSource) throws -> Result) throws(StoreError) -> Result {
        try requireSameFiles()
        let result = try gate.withPassage { () throws(StoreError) in
            do {
                if let first = firstReader {
                    defer { first.letGo() }
                    return try Self.telling(first.connection, body)
                }
                switch try opened() {
                case .open(let pool, _): return try pool.connections.unsafeRead { try Self.telling($0, body) }
                case .readOnly(let queue): return try queue.unsafeRead { try Self.telling($0, body) }
                case .closed, .lookedOver: throw StoreError(.unavailable, "the store is closed")
                }
            } catch {
                throw StoreError(database: error)
            }
        }
        // Of a database that was put here meanwhile, with other keys, the answer would be that nothing is there.
        try requireSameFile()
        return result
    }

    /// The connection that looked the database over, for this thread alone until it lets go of it; nil where there is none,
    /// or another thread has it.
    private var firstReader: FirstReader? {
        content.withLock { content in
            guard !content.hasLostFiles, let first = content.state.firstReader else { return nil }
            return first.take() ? first : nil
        }
    }

    /// Runs `body` in a transaction that has the right to write from its start.
    ///
    /// What it wrote is on disk when this returns, and in the database file itself, not only in the log: a copy of that
    /// file has everything (``LogMove``).
    func write<Result>(_ body: (Database) throws -> Result) throws(StoreError) -> Result {
        try requireSameFiles()
        return try gate.withPassage { () throws(StoreError) in try writeOpened(body) }
    }

    private func writeOpened<Result>(_ body: (Database) throws -> Result) throws(StoreError) -> Result {
        do {
            let pool = try writable()
            var result: Result?
            try movingLog(of: pool) { database in
                try Self.telling(database) { database in
                    try database.inTransaction(.immediate) {
                        result = try body(database)
                        return .commit
                    }
                }
            }
            guard let result else { throw StoreError(.io, "the transaction had no result") }
            return result
        } catch {
            throw StoreError(database: error)
        }
    }

    /// Runs `body` while nobody else writes, and moves what is in the log then into the database.
    private func movingLog(of pool: OpenPool, after body: (Database) throws -> Void) throws {
        try pool.connections.writeWithoutTransaction { database in
            var log = LogMove(database)
            try withLock(of: pool) {
                // Whoever had the lock may have put another database here (`SQLiteStore.rekey`).
                try requireSameFile()
                try body(database)
                log.attempt(database) { whileNobodyOpens(pool, $0) }
            }
            finish(&log, database, pool)
        }
    }

    /// Runs `body` while nobody else writes, between two looks at the files that the connection has open.
    ///
    /// - Throws: ``StoreError/Code/unavailable`` if the program has closed one of them. Then `body` was not run, or what it
    ///   wrote may be nowhere.
    private func withLock<Result>(of pool: OpenPool, _ body: () throws -> Result) throws -> Result {
        let result = Swift.Result {
            try pool.lock.withLock {
                try requireItsFiles(pool)
                return try body()
            }
        }
        // First, because it is the reason of what went wrong.
        try requireItsFiles(pool)
        return try result.get()
    }

    private func requireItsFiles(_ pool: OpenPool) throws(StoreError) {
        if pool.hasItsFiles { return }
        content.withLock { $0.hasLostFiles = true }
        throw lostFiles
    }

    private var lostFiles: StoreError {
        StoreError(
            .unavailable,
            "the program has closed a file descriptor that belongs to \(path): look for one that it closes twice, and start "
                + "the program again")
    }

    /// Runs `body` with the connection that writes, while nobody else opens the store, writes or moves its log.
    func exclusively<Result>(
        _ body: (PrivateFolder, Database) throws -> Result
    ) throws(StoreError) -> Result {
        try requireSameFiles()
        return try gate.withPassage { () throws(StoreError) in
            do {
                let pool = try writable()
                let folder = try PrivateFolder(location, makingIt: false, logger: nil)
                return try pool.connections.writeWithoutTransaction { database in
                    // In the order in which everybody takes them.
                    try folder.withSetupLock { () throws(StoreError) in
                        do {
                            return try withLock(of: pool) {
                                try requireSameFile()
                                return try Self.telling(database) { try body(folder, $0) }
                            }
                        } catch {
                            throw StoreError(database: error)
                        }
                    }
                }
            } catch {
                throw StoreError(database: error)
            }
        }
    }

    /// Runs `body` and tells what the system said of a failure of SQLite's.
    private static func telling<Source: StatementSource, Result>(
        _ database: Source, _ body: (Source) throws -> Result
    ) throws -> Result {
        do {
            return try body(database)
        } catch {
            throw StoreError(database: error, systemError: systemError(of: database))
        }
    }

    private static func systemError(of database: some StatementSource) -> Int32 {
        systemError(of: database.sqliteConnection)
    }

    /// What the system said of the connection's last failure; 0 if that is not known.
    ///
    /// SQLite reads `errno` when it hands the failure out, and what it did to clean up may have changed that by then. The
    /// database file and the log remember their own.
    static func systemError(of connection: SQLiteConnection?) -> Int32 {
        guard let connection else { return 0 }
        let last = sqlite3_system_errno(connection)
        if [EIO, EMFILE, ENFILE].contains(last) || StoreError.meansFull(last) { return last }
        var ofFile: Int32 = 0
        sqlite3_file_control(connection, "main", SQLITE_FCNTL_LAST_ERRNO, &ofFile)
        if ofFile != 0 { return ofFile }
        // The log is another file.
        var log: UnsafeMutablePointer<sqlite3_file>?
        sqlite3_file_control(connection, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log)
        _ = log?.pointee.pMethods?.pointee.xFileControl?(log, SQLITE_FCNTL_LAST_ERRNO, &ofFile)
        return ofFile == 0 ? last : ofFile
    }

    // MARK: Log

    /// Moves what a program that was killed may have left in the log alone.
    func completeLog() throws(StoreError) {
        try requireSameFiles()
        if !Self.hasCommits(path + "-wal") { return }
        try gate.withPassage { () throws(StoreError) in
            let pool = try writable()
            do { try movingLog(of: pool) { _ in } } catch { throw StoreError(database: error) }
        }
        if let warning = takeWarning() { throw StoreError(.unavailable, warning) }
    }

    /// Whether there may be commits in a log: more than its header.
    private static func hasCommits(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_size > 32
    }

    /// Goes on with a move of the log that could not be made at once.
    ///
    /// Readers of older states hold it up for a moment; after about a second it is left to the next write: the log is on
    /// disk, so nothing is lost but the simple copy. Other writers have their turn between two attempts.
    private func finish(_ log: inout LogMove, _ database: Database, _ pool: OpenPool) {
        let end = ContinuousClock.now + .seconds(1)
        var attempt = 0
        while log.state == .heldUp && ContinuousClock.now < end {
            BusyWait.pause(attempt, longest: 5_000)
            attempt += 1
            do throws(StoreError) {
                try requireItsFiles(pool)
                try pool.lock.withLockIfFree { log.attempt(database) { whileNobodyOpens(pool, $0) } }
            } catch {
                return warn("\(error)")
            }
        }
        switch log.state {
        case .done: break
        case .heldUp: warn("another process has been reading it for too long")
        case .failed(let code):
            warn("\(StoreError(sqlite: code, systemError: Self.systemError(of: database)))")
        }
    }

    /// Runs `body`, which empties the log, if nobody opens the store just now, and the descriptors still are those of the log:
    /// the file of somebody else would be cut off.
    private func whileNobodyOpens(_ pool: OpenPool, _ body: () -> Void) {
        guard let folder = try? PrivateFolder(location, makingIt: false, logger: nil) else { return }
        folder.withSetupLockIfFree { if pool.hasItsFiles { body() } }
    }

    private func warn(_ reason: String) {
        content.withLock {
            $0.warning = "\(path)-wal has items that could not be moved into \(path): \(reason)"
        }
    }

    /// What somebody should know, once. Not logged here: a log handler may itself use a keychain.
    func takeWarning() -> String? {
        content.withLock { content in
            defer { content.warning = nil }
            return content.warning
        }
    }

    /// Brings an older format up to date.
    func migrate() throws(StoreError) {
        do throws(StoreError) {
            try gate.withPassage { () throws(StoreError) in
                do {
                    guard case .open(let pool, _) = try opened() else { return }
                    try withLock(of: pool) { try StoreFormat.migrator.migrate(pool.connections) }
                } catch {
                    throw StoreError(database: error)
                }
            }
        } catch {
            close()
            throw error
        }
        close()
    }

    deinit {
        // The parent's connections stay as they are.
        if content.withLock({ $0.isInherited }) { return content.withLock { abandon($0.state) } }
        close()
    }

    /// Brings everything from the write-ahead log into the file and empties the log.
    func emptyLog() throws(StoreError) {
        try gate.withPassage { () throws(StoreError) in
            do {
                guard case .open(let pool, _) = try opened() else { return }
                try pool.connections.writeWithoutTransaction { database in
                    try withLock(of: pool) { try Self.emptyLog(database) }
                }
            } catch {
                throw StoreError(database: error)
            }
        }
    }

    /// As ``emptyLog()``, for whoever has the writer lock.
    static func emptyLog(_ database: Database) throws {
        _ = try database.checkpoint(.truncate)
    }

    /// A file that was deleted or replaced would take writes that nobody ever sees again.
    private func requireSameFile() throws(StoreError) {
        guard FileIdentity(path: path) == identity else {
            throw StoreError(.unavailable, "\(path) was deleted or replaced while it was open")
        }
    }

    /// Sees to it that the log and its index are those of everybody else, too.
    ///
    /// They can be deleted while they are in use: SQLite's locks are the process's, and end when any part of the process
    /// closes a descriptor of the database file, of which it may have made a copy. Another process may then believe itself
    /// to be the last, and clean up. Nothing is in the deleted log alone, for each write moves it (``LogMove``).
    ///
    /// - Throws: ``StoreError/Code/unavailable`` also when what is under way takes too long to be waited for.
    private func requireSameFiles() throws(StoreError) {
        let folder = try folderState()
        if let folder, content.withLock({ $0.settled == folder }) { return }
        try requireSameFile()
        if hasSameLog { return content.withLock { $0.settled = folder } }
        guard gate.close(patience: 20) else {
            throw StoreError(.unavailable, "\(path)-wal was deleted or replaced, and the database is in use")
        }
        defer { gate.open() }
        // Another thread may have been first.
        if !hasSameLog { close() }
    }

    /// The folder as it is now, where that can tell whether its files are still the same: from the second look on, and not
    /// on a network file system, where others may have changed it without this machine's knowing.
    ///
    /// - Throws: ``StoreError/Code/unavailable`` in a child that has the parent's connections.
    private func folderState() throws(StoreError) -> FolderState? {
        let isUsed = try content.withLock { (content) throws(StoreError) in
            if content.isInherited {
                throw StoreError(
                    .unavailable, "the process forked while another thread used the store: open it again, or use exec")
            }
            defer { content.isUsed = true }
            return content.isUsed
        }
        return isUsed && !location.mayBeOnNetwork ? FolderState(of: location.folder) : nil
    }

    private var hasSameLog: Bool {
        content.withLock { content in
            switch content.state {
            case .open(let pool, _): return pool.log == LogFiles(of: path)
            case .lookedOver(_, let log): return log == LogFiles(of: path)
            case .closed, .readOnly: return true
            }
        }
    }

    // MARK: Closing

    func closeIfIdle() {
        // Otherwise an operation runs, perhaps on this very thread. It goes on in the parent, and the child does without.
        guard gate.close(patience: 0) else { return }
        defer { gate.open() }
        close()
    }

    /// Closes all connections. The next use opens anew.
    ///
    /// The caller sees to it that no operation runs, and none begins.
    func close() {
        let last = content.withLock { content -> State in
            // They are the parent's: to close them here would let go of its locks.
            if content.isInherited { return .closed }
            defer { content.state = .closed }
            // Each new connection would share what is left open.
            if case .open(let pool, _) = content.state, !pool.hasItsFiles { content.hasLostFiles = true }
            return content.state
        }
        withFileSizeLimitAsError { Self.close(last) }
    }

    private static func close(_ state: State) {
        switch state {
        case .open(let pool, let first):
            // SQLite would write to the program's files, and close them. What is not closed stays until the program ends.
            guard pool.hasItsFiles else { return leave(pool, first) }
            // First: who closes the database last empties the log, and this one cannot.
            first?.retire()
            close(pool.connections, pool.lock)
        case .readOnly(let queue): try? queue.close()
        case .lookedOver(let first, _): first.retire()
        case .closed: break
        }
    }

    private static func leave(_ pool: OpenPool, _ first: FirstReader?) {
        for object in [pool.connections, first] as [AnyObject?] {
            if let object { _ = Unmanaged.passRetained(object) }
        }
    }

    /// Who closes the database last empties the log. SQLite's locks say who that is, and may say it wrongly
    /// (``requireSameFiles()``): so nothing is closed while another process writes, unless that takes too long.
    private static func close(_ pool: DatabasePool, _ lock: WriterLock) {
        var isClosed = false
        for attempt in 0..<200 where !isClosed {
            do throws(StoreError) {
                try lock.withLockIfFree {
                    try? pool.close()
                    isClosed = true
                }
            } catch {
                break
            }
            if !isClosed { BusyWait.pause(attempt, longest: 5_000) }
        }
        if !isClosed { try? pool.close() }
    }

    /// The connections that write.
    ///
    /// - Throws: ``StoreError/Code/readOnly`` if the medium cannot be written.
    private func writable() throws(StoreError) -> OpenPool {
        guard case .open(let pool, _) = try opened() else {
            throw StoreError(.readOnly, "\(path) is on a read-only medium, or is write-protected")
        }
        return pool
    }

    private func opened() throws(StoreError) -> State {
        try content.withLock { (content) throws(StoreError) in
            if content.hasLostFiles { throw lostFiles }
            switch content.state {
            case .open, .readOnly: return content.state
            case .closed, .lookedOver: break
            }
            let last = content.state
            let folder = try PrivateFolder(location, makingIt: false, logger: nil)
            // Whoever looks a file over relies on nobody opening it meanwhile.
            let opened = try folder.withSetupLock { () throws(StoreError) in
                try requireSameFile()
                return try folder.isWritable
                    ? Self.open(path, WriterLock(folder), after: last) : .readOnly(Self.openWriteProtected(path))
            }
            if case .open(let pool, _) = opened, let first = last.firstReader, pool.files != nil,
                !ConnectionFiles.isOpen(path, in: first.connection.sqliteConnection)
            {
                Self.leave(pool, first)
                content.hasLostFiles = true
                throw lostFiles
            }
            do throws(StoreError) {
                try requireSameFile()
                // Now that SQLite has made its files too.
                try folder.check()
            } catch {
                Self.close(opened)
                throw error
            }
            if let reader = last.firstReader, reader !== opened.firstReader { reader.retire() }
            content.state = opened
            content.process = getpid()
            return opened
        }
    }

    // MARK: Opening

    /// The caller holds the setup lock.
    private static func open(_ path: String, _ lock: WriterLock, after last: State) throws(StoreError) -> State {
        beginLog(path + "-wal")
        do {
            // A pool that finds an empty log writes. Only then does it wait for writers: one that is stopped half way must not
            // keep others from reading.
            let connections = try isEmpty(path + "-wal") ? lock.withLock { try openPool(path) } : openPool(path)
            let log = LogFiles(of: path)
            var files = try connections.writeWithoutTransaction { database in
                // SQLite opens the log when it reads.
                _ = try Int64.fetchOne(database, sql: "PRAGMA schema_version")
                return ConnectionFiles(writing: database.sqliteConnection, path: path)
            }
            // Without it look-ups only take longer.
            let first = reader(of: last, log) ?? (try? FirstReader(ReadOnlyConnection(path)))
            if let first { files?.add(first.connection.sqliteConnection, path: path) }
            return .open(OpenPool(connections: connections, lock: lock, log: log, files: files), first)
        } catch {
            throw StoreError(database: error)
        }
    }

    /// The reader of an earlier state, where it reads the same log.
    private static func reader(of last: State, _ log: LogFiles) -> FirstReader? {
        guard case .lookedOver(let first, log) = last else { return nil }
        return first
    }

    private static func isEmpty(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_size == 0
    }

    private static func openPool(_ path: String) throws(StoreError) -> DatabasePool {
        var attempts = 0
        while true {
            do {
                let pool = try DatabasePool(path: path, configuration: configuration())
                // GRDB takes NORMAL for write-ahead logs, which forgets the last transactions when the power fails.
                try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
                return pool
            } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY && attempts < 20 {
                // The pool's first transaction is a deferred one, and so can lose to another process's.
                attempts += 1
            } catch {
                throw StoreError(database: error)
            }
        }
    }

    /// Makes a log that is not quite empty where there is none, or an empty one.
    ///
    /// A pool that finds an empty log makes a table and drops it again, so that its readers find a log: three times on
    /// the way to the disk, for a program that only wants to read a password. One byte, too short for SQLite to take
    /// for anything, does as well. Where there is a log, somebody else may be writing it: the byte is added in a way that
    /// neither overwrites nor cuts off anything.
    private static func beginLog(_ path: String) {
        let file = OwnDescriptor.aboveStandard(
            Foundation.open(path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600))
        guard file >= 0 else { return }
        // Whatever the program's umask takes away from this user too.
        fchmod(file, 0o600)
        _ = posix_fallocate(file, 0, 1)
        Foundation.close(file)
    }

    /// A connection that writes nothing at all to the database.
    static func openReadOnly(_ path: String) throws(StoreError) -> DatabaseQueue {
        do {
            var configuration = configuration()
            configuration.readonly = true
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            // Opening reads nothing: what is wrong shows here.
            _ = try queue.unsafeRead { try Int64.fetchOne($0, sql: "PRAGMA user_version") }
            return queue
        } catch {
            throw StoreError(database: error)
        }
    }

    /// The path in a form that tells SQLite to believe that nobody writes the file; nil where SQLite does not take it.
    static func immutablePath(_ path: String) -> String? {
        guard sqlite3_compileoption_used("USE_URI") != 0,
            let escaped = path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed)
        else { return nil }
        return "file://\(escaped)?immutable=1"
    }

    /// For a medium that nobody can write.
    private static func openWriteProtected(_ path: String) throws(StoreError) -> DatabaseQueue {
        do throws(StoreError) {
            return try openReadOnly(path)
        } catch {
            // A database with a write-ahead log needs a shared-memory file even to be read.
            guard let immutable = immutablePath(path), !FileManager.default.fileExists(atPath: path + "-wal") else {
                throw error
            }
            return try openReadOnly(immutable)
        }
    }

    /// - Parameter keepsLog: Whether the log stays, empty, when the last connection is closed. Whoever believes himself to
    ///   be the last then takes it away from nobody.
    private static func configuration(keepsLog: Bool = true) -> Configuration {
        var configuration = Configuration()
        configuration.label = "secitem"
        configuration.prepareDatabase { database in
            waitForOthers(database.sqliteConnection)
            if keepsLog { keepLog(database.sqliteConnection) }
            try database.execute(
                sql: """
                    PRAGMA secure_delete = ON;
                    PRAGMA trusted_schema = OFF;
                    PRAGMA cell_size_check = ON;
                    PRAGMA temp_store = MEMORY;
                    PRAGMA journal_size_limit = 8388608;
                    """)
        }
        return configuration
    }

    /// Has a connection wait for whoever has a lock of SQLite's, for about 20 s. Other writers of this package wait for the
    /// writer lock, and not here.
    static func waitForOthers(_ connection: SQLiteConnection?) {
        sqlite3_busy_handler(connection, { _, attempt in StoreConnection.waitWhileBusy(attempt) ? 1 : 0 }, nil)
    }

    /// - Returns: Whether to try again.
    private static func waitWhileBusy(_ attempt: Int32) -> Bool {
        guard attempt < 5_000 else { return false }
        BusyWait.pause(Int(attempt), longest: 5_000)
        return true
    }

    /// Has the log stay, empty, when the last connection is closed.
    static func keepLog(_ connection: SQLiteConnection?) {
        var isOn: Int32 = 1
        sqlite3_file_control(connection, "main", SQLITE_FCNTL_PERSIST_WAL, &isOn)
    }

    /// Makes a new, finished database of the current format, closed and on disk.
    static func create(_ path: String, filledBy fill: (Database) throws -> Void) throws(StoreError) {
        do {
            let queue = try DatabaseQueue(path: path, configuration: configuration(keepsLog: false))
            do {
                // Without a file to go back from: what fails half way is thrown away.
                try queue.writeWithoutTransaction {
                    _ = try String.fetchOne($0, sql: "PRAGMA journal_mode = MEMORY")
                }
                try StoreFormat.migrator.migrate(queue)
                try queue.write { try fill($0) }
                try queue.writeWithoutTransaction { _ = try String.fetchOne($0, sql: "PRAGMA journal_mode = WAL") }
            } catch {
                throw StoreError(database: error, systemError: queue.unsafeReentrantRead(systemError))
            }
            try queue.close()
        } catch {
            throw StoreError(database: error)
        }
    }
}

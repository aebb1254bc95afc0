// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// The connections to one database: readers, which threads borrow and which are opened as they are needed, and one that
/// writes.
final class StoreConnection: IdleConnections, @unchecked Sendable {
    private struct Content: Sendable {
        /// The process that opened the connections.
        var process = getpid()
        /// How many operations run, or wait for the writer lock.
        var useCount = 0
        /// Readers that nobody uses.
        var readers: [Database] = []
        /// Whoever has the writer lock uses it.
        var writer: Database?
        /// The log that the writer has open.
        var log: FileIdentity?

        /// Begins an operation.
        mutating func enter() throws(StoreError) {
            if process != getpid() {
                // A thread of the parent used connections at the fork, so they are open in this child. No new one would be
                // sound either: SQLite would believe that this process has the parent's locks.
                if useCount > 0 || !readers.isEmpty || writer != nil {
                    throw StoreError(
                        .unavailable,
                        "the process forked while another thread used the store: open it again, or use exec")
                }
                self = Content()
            }
            useCount += 1
        }
    }

    private let location: StoreLocation
    private let databasePath: String
    private let identity: FileIdentity
    /// Which store it is.
    let storeID: [UInt8]
    private let content: LockedValue<Content>

    /// How many readers stay open while nobody uses them.
    private static let greatestReaderCount = 16

    /// - Parameters:
    ///   - identity: Which file the database is; if its path names another one later, that one is not used.
    ///   - storeID: Which store is in it.
    ///   - first: A reader that is open already.
    init(_ location: StoreLocation, identity: FileIdentity, storeID: [UInt8], first: Database) {
        self.location = location
        databasePath = location.databasePath
        self.identity = identity
        self.storeID = storeID
        content = LockedValue(Content(readers: first.believesUnchanged ? [] : [first]))
        if first.believesUnchanged { first.close() }
        BeforeFork.close(self)
    }

    deinit { close() }

    // MARK: Use

    /// Runs `body` with a connection for reading. One statement sees one state of the database, two may see two.
    func read<Result>(_ body: (Database) throws -> Result) throws(StoreError) -> Result {
        let reader = try borrowReader()
        let result = withFileSizeLimitAsError { Swift.Result { try body(reader) } }
        giveBack(reader)
        // Of a database that was put here meanwhile, with other keys, the answer would be that nothing is there.
        try requireSameFile()
        do { return try result.get() } catch { throw StoreError(database: error) }
    }

    private func borrowReader() throws(StoreError) -> Database {
        let idle = try content.withLock { (content) throws(StoreError) in
            try content.enter()
            return content.readers.popLast()
        }
        if let idle { return idle }
        do throws(StoreError) {
            return try withFileSizeLimitAsError { () throws(StoreError) in try opened(.reading) }
        } catch {
            leave()
            throw error
        }
    }

    private func giveBack(_ reader: Database) {
        let isKept = content.withLock { content in
            content.useCount -= 1
            // One that believes that nobody writes would never see what others write after all.
            guard !reader.believesUnchanged, content.readers.count < Self.greatestReaderCount else { return false }
            content.readers.append(reader)
            return true
        }
        if !isKept { reader.close() }
    }

    private func leave() {
        content.withLock { $0.useCount -= 1 }
    }

    /// Runs `body` in a transaction that has the right to write from its start. What it wrote is on disk when this returns.
    func write<Result>(_ body: (Database) throws -> Result) throws(StoreError) -> Result {
        try withWriter { database in
            try database.inTransaction(forWriting: true) { try body(database) }
        }
    }

    /// Runs `body` with the connection that writes, while nobody else opens the store, writes or makes a checkpoint.
    func exclusively<Result>(_ body: (PrivateFolder, Database) throws -> Result) throws(StoreError) -> Result {
        try withWriter { database in
            let folder = try PrivateFolder(location)
            return try folder.withSetupLock { () throws(StoreError) in
                do { return try body(folder, database) } catch { throw StoreError(database: error) }
            }
        }
    }

    /// Brings everything from the log into the database file, and empties the log.
    func emptyLog() throws(StoreError) {
        try withWriter { try $0.emptyLog() }
    }

    /// Runs `body` with the connection that writes, while nobody else does.
    private func withWriter<Result>(_ body: (Database) throws -> Result) throws(StoreError) -> Result {
        try content.withLock { (content) throws(StoreError) in try content.enter() }
        defer { leave() }
        do {
            return try WriterLock.hold(location) {
                try withFileSizeLimitAsError { try withOpenWriter(body) }
            }
        } catch {
            throw StoreError(database: error)
        }
    }

    /// The caller has the writer lock.
    private func withOpenWriter<Result>(_ body: (Database) throws -> Result) throws -> Result {
        let database = try openedWriter()
        // Whoever had the lock may have put another database here (`SQLiteStore.rekey`).
        try requireSameFile()
        guard FileIdentity(path: location.logPath) == content.withLock({ $0.log }) else {
            throw replaced(location.logPath)
        }
        return try body(database)
    }

    private func openedWriter() throws(StoreError) -> Database {
        if let known = content.withLock({ $0.writer }) { return known }
        let new = try opened(.writing)
        content.withLock { ($0.writer, $0.log) = (new, FileIdentity(path: location.logPath)) }
        return new
    }

    /// A file that was deleted or replaced would take writes that nobody ever sees again.
    private func requireSameFile() throws(StoreError) {
        guard FileIdentity(path: databasePath) == identity else { throw replaced(databasePath) }
    }

    private func replaced(_ path: String) -> StoreError {
        StoreError(.unavailable, "\(path) was deleted or replaced while it was open: start the program again")
    }

    // MARK: Opening

    private func opened(_ access: Database.Access) throws(StoreError) -> Database {
        let folder = try PrivateFolder(location)
        return try folder.withSetupLock { () throws(StoreError) in
            let database = try Self.open(folder, access)
            do throws(StoreError) {
                // SQLite opens the log when it reads. It is that of the same file, as long as nobody has replaced both.
                guard try isSameStore(database) else { throw replaced(databasePath) }
                try requireSameFile()
                try folder.check()
            } catch {
                database.close()
                throw error
            }
            return database
        }
    }

    /// A file that takes the place of a deleted one may get its number too.
    private func isSameStore(_ database: Database) throws(StoreError) -> Bool {
        let query = try PreparedQuery(database, "SELECT uuid FROM store WHERE id = 1")
        defer { query.finish() }
        return try query.step() && query.bytes(0).elementsEqual(storeID)
    }

    /// Opens the database of the folder, without reading anything. The caller has the setup lock, because the database and
    /// its log can be replaced (`SQLiteStore.rekey`).
    ///
    /// - Throws: ``StoreError/Code/readOnly`` if it is to be written, and cannot be.
    static func open(_ folder: PrivateFolder, _ access: Database.Access) throws(StoreError) -> Database {
        let path = folder.location.databasePath
        // Somebody may be copying a file over it. SQLite deletes the log of a database that has no pages.
        if folder.size(of: path) == 0 { throw StoreCheck.isNoDatabase }
        if folder.isWritable { return try Database(path, access) }
        guard access == .reading else {
            throw StoreError(.readOnly, "\(path) is on a read-only medium, or is write-protected")
        }
        let database = try Database(path, .reading)
        do throws(StoreError) {
            _ = try database.number("PRAGMA user_version")
            return database
        } catch {
            database.close()
            // To read a log, even an empty one, SQLite needs a file that it cannot make here.
            if folder.hasLog || error.code != .unavailable && error.code != .readOnly { throw error }
            return try Database(path, .readingUnchanged)
        }
    }

    // MARK: Closing

    func closeIfIdle() {
        // Otherwise an operation runs, perhaps on this very thread. It goes on in the parent, and the child does without.
        if content.withLock({ $0.useCount == 0 }) { close() }
    }

    /// Closes what nobody uses. The next use opens anew.
    func close() {
        let last = content.withLock { content -> Content in
            // They are the parent's: to close them here would let go of its locks.
            if content.process != getpid() {
                abandon(content)
                return Content()
            }
            let last = content
            content.readers = []
            if last.useCount == 0 { (content.writer, content.log) = (nil, nil) }
            return last
        }
        for reader in last.readers { reader.close() }
        guard last.useCount == 0, let writer = last.writer else { return }
        // With a new log, others may have changed the database: older pages must not overwrite theirs.
        let present = FileIdentity(path: location.logPath)
        withFileSizeLimitAsError { close(writer, makingCheckpoint: present == nil || present == last.log) }
    }

    /// Moves the log into the database, and the last connection of all processes empties it. Nobody else writes meanwhile; if
    /// others write for too long, they are there to do it.
    private func close(_ writer: Database, makingCheckpoint: Bool) {
        guard makingCheckpoint else { return writer.close(makingCheckpoint: false) }
        do {
            try WriterLock.hold(location, patience: .seconds(1)) {
                writer.makeCheckpoint()
                writer.close()
            }
        } catch {
            writer.close(makingCheckpoint: false)
        }
    }

    // MARK: Making

    /// Makes a new, finished database, closed and on disk.
    static func create<Result>(
        _ path: String, filledBy fill: (Database) throws -> Result
    ) throws(StoreError) -> Result {
        let database = try Database(path, .making)
        defer { database.close() }
        do {
            // Without a file to go back from: what fails half way is thrown away.
            try database.execute("PRAGMA journal_mode = MEMORY")
            let result = try database.inTransaction(forWriting: true) {
                try StoreFormat.create(database)
                return try fill(database)
            }
            try database.execute("PRAGMA journal_mode = WAL")
            return result
        } catch {
            throw StoreError(database: error)
        }
    }
}

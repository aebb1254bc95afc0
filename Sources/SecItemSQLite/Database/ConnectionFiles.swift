// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import GRDBSQLite

/// The open files of a connection that writes: the database and its log.
///
/// A program can close them by mistake, with a number that it closes twice or with `closefrom`, and its own next files then
/// have these numbers. SQLite would not notice: it would write pages of the database into the program's files, or into its
/// own log, and report a commit that is nowhere.
struct ConnectionFiles {
    private let database: OpenFile
    private let log: OpenFile

    /// Nil if SQLite does not show which files they are. Then nothing can be checked.
    init?(_ connection: SQLiteConnection?, path: String) {
        guard let database = Self.descriptor(connection, SQLITE_FCNTL_FILE_POINTER).flatMap(OpenFile.init),
            let log = Self.descriptor(connection, SQLITE_FCNTL_JOURNAL_POINTER).flatMap(OpenFile.init),
            database.identity == FileIdentity(path: path), log.identity == FileIdentity(path: path + "-wal")
        else { return nil }
        self.database = database
        self.log = log
    }

    /// Whether the numbers still are those of the same files.
    var areTheSame: Bool { database.isTheSame && log.isTheSame }

    /// Whether another connection of this process, to the same database, still has the database open.
    func areTheSame(for connection: SQLiteConnection?) -> Bool {
        Self.descriptor(connection, SQLITE_FCNTL_FILE_POINTER).flatMap(OpenFile.init)?.identity == database.identity
    }

    /// The number in SQLite's object for an open file on Unix: it comes after three pointers, in each version since 3.7.
    /// Whoever asks compares the file of that number with the one that it should be.
    private static func descriptor(_ connection: SQLiteConnection?, _ operation: Int32) -> Int32? {
        var file: UnsafeMutableRawPointer?
        guard sqlite3_file_control(connection, "main", operation, &file) == SQLITE_OK, let file,
            file.load(as: UnsafeRawPointer?.self) != nil
        else { return nil }
        return file.load(fromByteOffset: 3 * MemoryLayout<UnsafeRawPointer>.size, as: Int32.self)
    }
}

/// A file descriptor, and the file that it was opened for.
struct OpenFile {
    let descriptor: Int32
    let identity: FileIdentity

    /// Nil if nothing is open with that number.
    init?(_ descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.descriptor = descriptor
        identity = FileIdentity(status)
    }

    /// Whether the number is not that of another file by now.
    var isTheSame: Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && FileIdentity(status) == identity
    }
}

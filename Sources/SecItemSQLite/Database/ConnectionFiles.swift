// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import GRDBSQLite

/// The open files of a store's connections: the database, its log, and the log's index.
///
/// A program can close them by mistake, with a number that it closes twice or with `closefrom`, and its own next files then
/// have these numbers. SQLite would not notice: it would write pages of the database into the program's files, or into its
/// own log, and report a commit that is nowhere.
struct ConnectionFiles {
    private var files: [OpenFile]

    /// The files of the connection that writes, and the index of the log, which all connections of the process share.
    ///
    /// Nil if SQLite does not show which files they are. Then nothing can be checked.
    init?(writing connection: SQLiteConnection?, path: String) {
        files = Self.files(of: connection, path)
        guard files.count == 2 else { return nil }
        if let index = FileIdentity(path: path + "-shm") { files += OpenFile.all(index) }
    }

    /// Adds the files of a connection that only reads: SQLite would close whatever has their numbers.
    mutating func add(_ connection: SQLiteConnection?, path: String) {
        files += Self.files(of: connection, path)
    }

    /// Whether the numbers still are those of the same files.
    var areTheSame: Bool { files.allSatisfy(\.isTheSame) }

    /// Whether a connection of this process has the database open.
    static func isOpen(_ path: String, in connection: SQLiteConnection?) -> Bool {
        !files(of: connection, path).isEmpty
    }

    /// The database and, if the connection has it open, the log.
    private static func files(of connection: SQLiteConnection?, _ path: String) -> [OpenFile] {
        let places = [(SQLITE_FCNTL_FILE_POINTER, path), (SQLITE_FCNTL_JOURNAL_POINTER, path + "-wal")]
        var files: [OpenFile] = []
        for (operation, path) in places {
            guard let file = descriptor(connection, operation).flatMap(OpenFile.init),
                file.identity == FileIdentity(path: path)
            else { break }
            files.append(file)
        }
        return files
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

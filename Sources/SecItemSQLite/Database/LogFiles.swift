// SPDX-License-Identifier: Apache-2.0

/// Which files the write-ahead log of a database and its index are.
struct LogFiles: Equatable {
    private let log: FileIdentity?
    private let index: FileIdentity?

    /// Those that are there now, where there are any.
    init(of databasePath: String) {
        log = FileIdentity(path: databasePath + "-wal")
        index = FileIdentity(path: databasePath + "-shm")
    }
}

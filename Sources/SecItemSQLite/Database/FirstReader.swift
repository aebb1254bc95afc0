// SPDX-License-Identifier: Apache-2.0

import SecItemStore

/// The connection that checked the database, lent to one thread at a time.
///
/// It cannot write, so closing it never moves or empties the log.
final class FirstReader: @unchecked Sendable {
    let connection: ReadOnlyConnection
    private let lock = ForkableLock()
    // Guarded by `lock`.
    private var isTaken = false
    private var isRetired = false

    init(_ connection: ReadOnlyConnection) {
        self.connection = connection
    }

    /// Whether the caller has the connection now. If so, the caller must release it.
    func take() -> Bool {
        lock.withLock {
            if isTaken || isRetired { return false }
            isTaken = true
            return true
        }
    }

    func letGo() {
        let isLast = lock.withLock {
            isTaken = false
            return isRetired
        }
        if isLast { connection.close() }
    }

    /// Closes the connection as soon as nobody uses it. It is not lent again.
    func retire() {
        let isFree = lock.withLock {
            isRetired = true
            return !isTaken
        }
        if isFree { connection.close() }
    }
}

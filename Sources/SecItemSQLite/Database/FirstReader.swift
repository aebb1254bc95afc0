// SPDX-License-Identifier: Apache-2.0

import SecItemStore

/// The connection that checked the database, lent to one thread at a time.
///
/// It cannot write, so closing it never moves or empties the log.
final class FirstReader: @unchecked Sendable {
    let connection: ReadOnlyConnection
    private let state = LockedValue((isTaken: false, isRetired: false))

    init(_ connection: ReadOnlyConnection) {
        self.connection = connection
    }

    /// Whether the caller has the connection now. If so, the caller must release it.
    func take() -> Bool {
        state.withLock { state in
            if state.isTaken || state.isRetired { return false }
            state.isTaken = true
            return true
        }
    }

    func letGo() {
        let isLast = state.withLock { state in
            state.isTaken = false
            return state.isRetired
        }
        if isLast { connection.close() }
    }

    /// Closes the connection as soon as nobody uses it. It is not lent again.
    func retire() {
        let isFree = state.withLock { state in
            state.isRetired = true
            return !state.isTaken
        }
        if isFree { connection.close() }
    }
}

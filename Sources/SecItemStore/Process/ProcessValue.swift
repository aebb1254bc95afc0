// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A value of the running process. The child of a fork begins with a new one.
///
/// The child abandons its parent's value, and never releases it: the end of a connection could tell a server that the parent
/// has ended.
///
/// This and ``IdleConnections`` are all that the library does about forks. A child that goes on without `exec` may use the
/// keychain if no other thread was inside a call at the fork (docs/operations.md).
package final class ProcessValue<Value: Sendable>: Sendable {
    private struct Owned {
        var process: pid_t
        var value: Value
    }

    private let owned: LockedValue<Owned>
    private let make: @Sendable () -> Value

    package init(_ make: @escaping @Sendable () -> Value) {
        self.make = make
        owned = LockedValue(Owned(process: getpid(), value: make()))
    }

    /// Runs `body`, which is short and calls nothing outside, with exclusive access to this process's value.
    package func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try owned.withLock { (owned) throws(Failure) in
            let process = getpid()
            if owned.process != process {
                abandon(owned.value)
                owned = Owned(process: process, value: make())
            }
            return try body(&owned.value)
        }
    }
}

/// Keeps a value that belongs to the parent of this process, for good.
package func abandon(_ value: Any) {
    _ = Unmanaged.passRetained(Abandoned(value))
}

private final class Abandoned {
    private let value: Any

    init(_ value: Any) {
        self.value = value
    }
}

/// Connections that must not be open when the process forks, and that are closed when it ends.
///
/// SQLite's must not: it keeps the locks of a process on a file in one table, and in a child the table has the parent's locks,
/// which the system has not given to the child.
package protocol IdleConnections: AnyObject, Sendable {
    /// Closes what nobody uses at this moment. The next use opens it again, in the parent and in the child.
    func closeIfIdle()
}

/// Closes idle connections before each fork, and at the end of the process.
package enum BeforeFork {
    private struct Weak: Sendable {
        weak var connections: (any IdleConnections)?
    }

    private static let registered = LockedValue<[Weak]>([])

    private static let isInstalled =
        pthread_atfork({ BeforeFork.closeIdle() }, nil, nil) == 0 && atexit { BeforeFork.closeIdle() } == 0

    /// Has every fork, and the end of the process, close the connections before, as long as the object lives.
    package static func close(_ connections: any IdleConnections) {
        _ = isInstalled
        registered.withLock { registered in
            registered.removeAll { $0.connections == nil }
            registered.append(Weak(connections: connections))
        }
    }

    private static func closeIdle() {
        // Without the lock: the last reference to one of them may be released here.
        for connections in registered.withLock({ $0.compactMap(\.connections) }) { connections.closeIfIdle() }
    }
}

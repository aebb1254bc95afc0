// SPDX-License-Identifier: Apache-2.0

import SecItemStore

extension LinuxKeychain {
    /// Yields whenever another program, or another machine, has changed items of a keychain in PostgreSQL.
    ///
    /// ```swift
    /// for await _ in try LinuxKeychain.changes {
    ///     // Look again.
    /// }
    /// ```
    ///
    /// It also yields at the start, and whenever the connection is there again after it was lost, because changes may have
    /// been missed. Changes that come faster than the program looks are one. Changes of this process are not reported. The
    /// stream says nothing about which items have changed, and may yield for items of other programs.
    ///
    /// The stream belongs to the store that is in use now, and does not notice a later ``use(_:)``. It has a connection and
    /// a thread of its own, and ends when its task is cancelled. Behind PgBouncer it ends at once, because no notification
    /// passes a pooler: look again at intervals instead. Use a stream in the process that asked for it, not in a
    /// child.
    ///
    /// - Throws: ``Failure`` with `errSecUnimplemented` if the items are not in PostgreSQL, and the status that every call
    ///   gives if no store is available.
    public static var changes: AsyncStream<Void> {
        get throws {
            let store = try failing { () throws(KeychainError) in try DefaultStore.shared.sharedStore() }
            return changes(of: store)
        }
    }

    /// The stream for the changes of others in that store. It yields once at the start.
    static func changes(of store: any SharedStore) -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        // The store may listen already, for itself or for another stream, and then says so no more.
        continuation.yield()
        let observation = store.observe(after: 0) { news in
            switch news {
            case .listening, .changed: continuation.yield()
            case .outOfReach: break
            case .deaf: continuation.finish()
            }
        }
        continuation.onTermination = { _ in withExtendedLifetime(observation) {} }
        return stream
    }
}

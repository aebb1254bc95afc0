// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import Foundation
    import SecItemPostgreSQL
    import SecItemStore
    import Synchronization

    /// Whether the store listens.
    private final class ListeningState: Sendable {
        let isListening = Mutex(false)
    }

    /// Begins to listen while the process may open nothing more, and then waits for what a later call makes possible.
    func listenWithoutDescriptors(_ connectionString: String, keyFile: String) throws {
        let store = PostgreSQLStore(PostgreSQLServer(connectionString), keyFile: keyFile)
        _ = try store.contents()
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        let before = limit
        limit.rlim_cur = 0
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        let news = ListeningState()
        let observation = store.observe(after: 0) { if $0 == .listening { news.isListening.withLock { $0 = true } } }
        limit = before
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        _ = try store.contents()
        while !news.isListening.withLock({ $0 }) { usleep(1_000) }
        withExtendedLifetime(observation) {}
    }
#endif

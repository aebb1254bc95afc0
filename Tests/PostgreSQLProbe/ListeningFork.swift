// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import Foundation
    import SecItemPostgreSQL
    import SecItemStore
    import Synchronization

    /// Counts what a store reports.
    private final class News: Sendable {
        private let counts = Mutex<(listening: Int, changed: Int)>((0, 0))

        func add(_ news: SharedNews) {
            counts.withLock { counts in
                if news == .listening { counts.listening += 1 }
                if news == .changed { counts.changed += 1 }
            }
        }

        func wait(_ isEnough: @Sendable ((listening: Int, changed: Int)) -> Bool) {
            while !isEnough(counts.withLock { $0 }) { usleep(1_000) }
        }
    }

    /// Forks while a listener waits. The child starts its own, and each of the two sees the other's changes, in turn.
    func forkWhileListening(_ connectionString: String, keyFile: String) throws {
        let store = PostgreSQLStore(PostgreSQLServer(connectionString), keyFile: keyFile)
        func add(_ account: String) throws {
            try store.insert(
                ItemRecord(
                    reference: PersistentReference(itemClass: .genericPassword),
                    attributes: [.account: .string(account)], secrets: [:]), interaction: .forbidden)
        }
        try add("first")
        let news = News()
        let observation = store.observe(after: 0) { news.add($0) }
        news.wait { $0.listening == 1 }
        for number in 1...5 {
            let process = fork()
            if process == 0 {
                alarm(60)
                // Any call starts the listener again.
                _ = try store.contents()
                news.wait { $0.listening == 2 }
                let known = number - 1
                try add("of child \(number)")
                news.wait { $0.changed > known }
                _exit(0)
            }
            news.wait { $0.changed >= number }
            try add("of the parent \(number)")
            var status: Int32 = 0
            guard process > 0, waitpid(process, &status, 0) == process, status == 0 else {
                failure("a child ended with \(status)")
            }
        }
        withExtendedLifetime(observation) {}
    }
#endif

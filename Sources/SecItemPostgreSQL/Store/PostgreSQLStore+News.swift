// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import Foundation
    import Logging
    import SecItemSealing
    import SecItemStore

    /// After each transaction that changes items, a notification is sent on a channel of the keychain. Its name has the keychain's
    /// number, which the server knows anyway, and the payload says only which store object sent it.
    extension PostgreSQLStore: SharedStore {
        package var summaryOfPlace: String {
            // Two servers of one machine may differ in their ports only.
            "\(place), \((try? server.ports()) ?? []), \(name), \(keyFile.path)"
        }

        package func openedKeychain() throws(StoreError) -> [UInt8] {
            try perform(.forbidden) { (access, _) throws(StoreError) in
                access.storeID + access.keychain.row.header.code.bytes
            } ?? []
        }

        package func contents() throws(StoreError) -> SharedContents {
            let found = try perform(.forbidden) { (access, _) throws(StoreError) -> SharedContents in
                let store = PostgreSQLValue.integer(access.store)
                let answers = try database.perform(
                    [
                        PostgreSQLCommand("SELECT uuid, code FROM secitem.store WHERE id = $1", store),
                        PostgreSQLCommand("SELECT class, reference, code FROM secitem.item WHERE store = $1", store),
                    ], .snapshot)
                guard answers.count == 2, answers[0].count == 1 else { throw .missingKeychain }
                let rows = answers[1]
                var versions: [PersistentReference: [UInt8]] = [:]
                versions.reserveCapacity(rows.count)
                for row in 0..<rows.count {
                    let reference = PersistentReference(Data(rows.text(row, 0).utf8) + Data(rows.bytes(row, 1)))
                    // A damaged row is left out, as look-ups leave it out.
                    if let reference { versions[reference] = rows.bytes(row, 2) }
                }
                return SharedContents(keychain: answers[0].bytes(0, 0) + answers[0].bytes(0, 1), versions: versions)
            }
            return found ?? SharedContents(keychain: [], versions: [:])
        }

        package func observe(
            after pause: Double, _ observer: @escaping @Sendable (SharedNews) -> Void
        ) -> any Sendable {
            let observation = observation
            return observation.add(observer) { (report) in
                database.listener(
                    after: pause,
                    on: { [weak self] () throws(StoreError) in
                        try self?.perform(.forbidden) { (access, _) throws(StoreError) in Self.channel(access.storeID) }
                    }, report)
            }
        }

        // MARK: The channel

        private static func channel(_ storeID: [UInt8]) -> String {
            "secitem_" + storeID.hexadecimal
        }

        /// What follows a transaction that changes items, in the same flight.
        ///
        /// Inside the transaction it would be certain to be sent if the changes are stored. But transactions with
        /// notifications are stored one after another, each with a write to the disk of its own, so eight writers would
        /// get less than half as much done. Nothing needs that certainty: whoever listens looks again after a lost
        /// connection, and compares copies after some time.
        func notification(_ access: Access) -> PostgreSQLCommand {
            PostgreSQLCommand(
                """
                SELECT pg_catalog.set_config('synchronous_commit', 'off', true), pg_catalog.pg_notify($1, $2)
                """, .text(Self.channel(access.storeID)), .text(observation.sender))
        }

        /// The same as a part of a transaction, for the keychain with that number of its own.
        func announcement(storeID: [UInt8]) -> PostgreSQLCommand {
            PostgreSQLCommand(
                "SELECT pg_catalog.pg_notify($1, $2)", .text(Self.channel(storeID)), .text(observation.sender))
        }
    }

    extension PostgreSQLStore {
        /// The observers of a keychain, and the listener that serves them while there are any.
        final class Observation: Sendable {
            private struct State: Sendable {
                var observers: [Int: @Sendable (SharedNews) -> Void] = [:]
                var listener: PostgreSQLListener?
                var lastNumber = 0
                /// The process in which the listener was started; 0 if it could not be.
                var processID = getpid()
            }

            private let state = LockedValue(State())
            private let name = RandomBytes.uuid().uuidString

            /// The payload of this store's own notifications. A child process is another sender.
            var sender: String { "\(name) \(getpid())" }

            /// Adds an observer, and starts a listener if it is the first.
            func add(
                _ observer: @escaping @Sendable (SharedNews) -> Void,
                _ makeListener: (@escaping @Sendable (PostgreSQLListener.Report) -> Void) -> PostgreSQLListener
            ) -> any Sendable {
                let (number, isServed) = state.withLock { state in
                    state.lastNumber += 1
                    state.observers[state.lastNumber] = observer
                    return (state.lastNumber, state.listener != nil)
                }
                let new = isServed ? nil : makeListener { [weak self] report in self?.spread(report) }
                let listener = state.withLock { state in
                    // Another thread may have made one, or the observer may have left together with the listener.
                    if state.listener == nil { state.listener = new }
                    return state.listener
                }
                if let listener { start(listener) }
                return Membership { [weak self] in self?.remove(number) }
            }

            private func remove(_ number: Int) {
                let (observer, listener) = state.withLock { state in
                    let observer = state.observers.removeValue(forKey: number)
                    guard state.observers.isEmpty else { return (observer, PostgreSQLListener?.none) }
                    defer { state.listener = nil }
                    return (observer, state.listener)
                }
                listener?.stop()
                withExtendedLifetime(observer) {}
            }

            /// Starts the listener again in a child process, or if it could not be started. Each call of the store does
            /// this first.
            func goOn() {
                let listener: PostgreSQLListener? = state.withLock { state in
                    guard state.processID != getpid() else { return nil }
                    state.processID = getpid()
                    return state.listener
                }
                if let listener { start(listener) }
            }

            /// Starts the listener. If the system does not let it, the next call of the store tries again.
            private func start(_ listener: PostgreSQLListener) {
                if listener.start() { return }
                ServerNotice.log().once(
                    .warning,
                    "The system has no thread or no descriptor to listen with: changes of others are not reported until a "
                        + "later call can begin to listen")
                state.withLock { $0.processID = 0 }
            }

            deinit {
                state.withLock { $0.listener }?.stop()
            }

            private func spread(_ report: PostgreSQLListener.Report) {
                let news: SharedNews
                switch report {
                case .listening: news = .listening
                case .notified(let senders):
                    guard senders.contains(where: { $0 != sender }) else { return }
                    news = .changed
                case .failed(let error):
                    guard error.isOutOfReach else {
                        // This lasts: for example, a standby does not let anybody listen, or the role is refused.
                        ServerNotice.log().once(
                            .notice, "Changes of others are not reported", metadata: ["reason": "\(error)"])
                        return
                    }
                    ServerNotice.log().debug(
                        "Changes of others are not reported now", metadata: ["reason": "\(error)"])
                    news = .outOfReach
                case .deaf:
                    ServerNotice.log().once(
                        .notice,
                        "A pooler is between this process and PostgreSQL: changes of other programs are not reported")
                    news = .deaf
                }
                for observer in state.withLock({ Array($0.observers.values) }) { observer(news) }
            }
        }

        /// Ends an observer's membership when it is released.
        private final class Membership: Sendable {
            private let end: @Sendable () -> Void

            init(_ end: @escaping @Sendable () -> Void) { self.end = end }

            deinit { end() }
        }
    }
#endif

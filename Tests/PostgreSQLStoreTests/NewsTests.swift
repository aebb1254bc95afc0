// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import Foundation
    import SecItemPostgreSQL
    import SecItemSealing
    import SecItemStore
    import Synchronization
    import TestSupport
    import Testing

    /// What a store tells of others' changes.
    @Suite(.timeLimit(.minutes(60)))
    struct NewsTests {
        private let server: PrivateServer
        private let folder: TemporaryFolder

        init() throws {
            server = try PrivateServer()
            folder = try TemporaryFolder()
        }

        private func store(_ name: String = "default") -> PostgreSQLStore {
            PostgreSQLStore(PostgreSQLServer(server.owner), name: name, keyFile: folder.path + "/key")
        }

        private func filter(_ account: String) -> RecordFilter {
            RecordFilter(itemClass: .genericPassword, attributes: [.account: .string(account)])
        }

        private let comment = RecordChanges(attributes: [.comment: .string("new")], secrets: [:])

        /// Another store's insert, update and delete are each reported. A change that changes nothing, or that the store
        /// made itself, is not.
        @Test func changesOfOthers_areReported_andNoOthers() throws {
            let own = store(), other = store(), stranger = store("another keychain")
            try own.insert(.password("first"), interaction: .forbidden)
            let news = ReceivedNews()
            let membership = own.observe(after: 0) { news.add($0) }
            try news.wait(for: .listening)
            try own.insert(.password("own"), interaction: .forbidden)
            try stranger.insert(.password("first"), interaction: .forbidden)
            #expect(try other.update(matching: filter("nobody"), applying: comment, interaction: .forbidden) == 0)
            #expect(try other.delete(matching: filter("nobody"), interaction: .forbidden) == 0)
            try other.insert(.password("second"), interaction: .forbidden)
            try news.wait(for: .changed)
            #expect(news.all == [.listening, .changed])
            _ = try other.update(matching: filter("second"), applying: comment, interaction: .forbidden)
            try news.wait(for: .changed, count: 2)
            _ = try other.delete(matching: filter("second"), interaction: .forbidden)
            try news.wait(for: .changed, count: 3)
            #expect(news.all == [.listening, .changed, .changed, .changed])
            withExtendedLifetime(membership) {}
        }

        /// A listener may come before the keychain.
        @Test func keychainMadeLater_isListenedTo() throws {
            let own = store(), news = ReceivedNews()
            let membership = own.observe(after: 0) { news.add($0) }
            try store().insert(.password("first"), interaction: .forbidden)
            try news.wait(for: .listening)
            try store().insert(.password("second"), interaction: .forbidden)
            try news.wait(for: .changed)
            withExtendedLifetime(membership) {}
        }

        /// A server that dies and comes back is listened to again.
        @Test func serverThatDies_isListenedToAgain() throws {
            let own = store(), news = ReceivedNews()
            try own.insert(.password("first"), interaction: .forbidden)
            let membership = own.observe(after: 0) { news.add($0) }
            try news.wait(for: .listening)
            try server.control("kill")
            try news.wait(for: .outOfReach)
            try server.control("start")
            try news.wait(for: .listening, count: 2)
            try store().insert(.password("second"), interaction: .forbidden)
            try news.wait(for: .changed)
            withExtendedLifetime(membership) {}
        }

        /// A listener that the system does not let begin begins with a later call.
        @Test func noDescriptors_laterCallBeginsToListen() throws {
            try store().insert(.password("first"), interaction: .forbidden)
            let program = try Program.built("PostgreSQLProbe", ["listen-late", server.owner, folder.path + "/key"])
            #expect(try program.output().hasSuffix("done\n"))
        }

        /// Nothing more arrives after the end, and a new observer starts anew.
        @Test func observers_comeAndGo() throws {
            let own = store(), first = ReceivedNews(), second = ReceivedNews()
            try own.insert(.password("first"), interaction: .forbidden)
            var membership: (any Sendable)? = own.observe(after: 0) { first.add($0) }
            try first.wait(for: .listening)
            membership = nil
            let another = own.observe(after: 0) { second.add($0) }
            try second.wait(for: .listening)
            try store().insert(.password("second"), interaction: .forbidden)
            try second.wait(for: .changed)
            #expect(first.all == [.listening])
            withExtendedLifetime((membership, another)) {}
        }

        /// The place is the same for one configuration, and another one for another server, keychain or key file. It has no
        /// password.
        @Test func summaryOfPlace_tellsPlacesApart() {
            func summary(_ connection: String, _ name: String = "default", key: String = "/key") -> String {
                PostgreSQLStore(PostgreSQLServer(connection), name: name, keyFile: key).summaryOfPlace
            }
            let first = "host=/run/database port=5432 dbname=items password=hidden"
            let places = [
                summary(first), summary("host=/run/database port=5433 dbname=items"),
                summary("host=/run/other port=5432 dbname=items"), summary("host=/run/database port=5432 dbname=other"),
                summary(first, "other"), summary(first, key: "/other"),
            ]
            #expect(Set(places).count == places.count)
            #expect(places[0] == summary(first) && !places[0].contains("hidden"))
        }

        /// The contents name each item, change with it, and are those that another store sees.
        @Test func contents_changeWithEachItem() throws {
            let own = store(), other = store()
            #expect(try own.contents() == SharedContents(keychain: [], versions: [:]))
            let records = ["a", "b", "c"].map { ItemRecord.password($0) }
            try own.insert(records, interaction: .forbidden)
            let before = try other.contents()
            #expect(try own.contents() == before)
            #expect(Set(before.versions.keys) == Set(records.map(\.reference)))
            _ = try own.update(matching: filter("b"), applying: comment, interaction: .forbidden)
            _ = try own.delete(matching: filter("c"), interaction: .forbidden)
            let after = try other.contents()
            #expect(after.keychain == before.keychain)
            #expect(Set(after.versions.keys) == Set(records.prefix(2).map(\.reference)))
            #expect(after.versions[records[0].reference] == before.versions[records[0].reference])
            #expect(after.versions[records[1].reference] != before.versions[records[1].reference])
        }
    }

    /// What an observer was told.
    final class ReceivedNews: Sendable {
        private let received = Mutex<[SharedNews]>([])

        func add(_ news: SharedNews) { received.withLock { $0.append(news) } }

        var all: [SharedNews] { received.withLock { $0 } }

        /// Waits until that has come so often. The suite's time limit ends a wait for nothing.
        func wait(for news: SharedNews, count: Int = 1) throws {
            while all.count(where: { $0 == news }) < count {
                try Task.checkCancellation()
                usleep(2_000)
            }
        }
    }
#endif

// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import Foundation
    import SecItemStore
    import TestSupport
    import Testing

    @testable import SecItemPostgreSQL

    /// The doctor names exactly the calls that fail because a right is missing.
    @Suite(.timeLimit(.minutes(60)))
    struct RightsTests {
        private let server: PrivateServer
        private let folder: TemporaryFolder

        init() throws {
            server = try PrivateServer()
            folder = try TemporaryFolder()
        }

        private func store(
            _ connection: String? = nil, name: String = "default", machine: String = "first"
        ) -> PostgreSQLStore {
            PostgreSQLStore(
                PostgreSQLServer(connection ?? server.user), name: name, keyFile: folder.path + "/" + machine)
        }

        /// Does what the call is about, as a program that has just started.
        private func perform(_ call: RoleRights.Call, _ round: Int) throws {
            switch call {
            case .lookUps: _ = try store().accounts()
            case .adds: try store().add("added \(round)")
            case .updates: try store().rename("to update \(round)", to: "updated \(round)")
            case .deletions: try store().remove("to delete \(round)")
            case .newKeychains: try store(name: "new \(round)").add("first")
            case .passphrases: try store().setPassphrase(nil)
            case .members:
                let token = try store().invite(name: nil, seconds: 600).token
                _ = try store(machine: "machine \(round)").join(token: token, name: nil)
            case .newKeys: _ = try store().rekey(keychains: [], removing: [], passphrase: nil)
            }
        }

        @Test func calls_failExactlyWhereTheDoctorSaysSo() throws {
            let owner = store(server.owner)
            try owner.add("first")
            _ = try owner.invite(name: nil, seconds: 600)
            #expect(try RoleRights.lacking(server.database(server.user)).isEmpty)
            var round = 0
            for table in ["store", "keys", "item", "lookup", "member"] {
                for right in ["SELECT", "INSERT", "UPDATE", "DELETE"] {
                    round += 1
                    try store(server.owner).add("to update \(round)")
                    try store(server.owner).add("to delete \(round)")
                    try server.administer("REVOKE \(right) ON secitem.\(table) FROM secitem_app")
                    let lacking = try RoleRights.lacking(server.database(server.user))
                    let named = Set(lacking.map(\.call.rawValue))
                    let found = store().diagnosis().filter { $0.topic == "rights" }
                    #expect(found.map(\.level) == [named.isEmpty ? .fine : right == "SELECT" ? .problem : .warning])
                    for call in lacking { #expect(found.allSatisfy { $0.text.contains(call.call.rawValue) }) }
                    var failed: Set<String> = []
                    for call in RoleRights.Call.allCases {
                        if storeError({ try perform(call, round) }) != nil { failed.insert(call.rawValue) }
                        try server.administer("DELETE FROM secitem.store WHERE id <> \(first())")
                    }
                    // Without look-ups, nothing else is worth a word.
                    if right == "SELECT" {
                        #expect(named.contains("look-ups") && failed.contains("look-ups"), "\(table)")
                    } else {
                        #expect(named == failed, "\(right) on \(table)")
                    }
                    try server.administer("GRANT \(right) ON secitem.\(table) TO secitem_app")
                }
            }
        }

        /// The number of the keychain "default", which new keys change.
        private func first() throws -> Int64 { try store(server.owner).opened(mayAsk: false)?.row.number ?? 0 }

        /// A role that may make no tables cannot store the first item.
        @Test func tablesThatTheRoleMayNotMake_areAProblem() throws {
            func level(_ connection: String) -> [StoreDiagnosis.Level] {
                store(connection).diagnosis().filter { $0.topic == "tables" }.map(\.level)
            }
            for sql in [
                "SELECT 1", "CREATE SCHEMA secitem AUTHORIZATION secitem_owner",
                "GRANT USAGE, CREATE ON SCHEMA secitem TO secitem_app",
            ] {
                try server.administer(sql)
                #expect(level(server.user) == [.problem] && level(server.owner) == [.note], "\(sql)")
            }
            #expect(storeError { try store().add("a") }?.code == .unavailable)
            try store(server.owner).add("a")
            #expect(level(server.user) == [.fine] && level(server.owner) == [.fine])
        }
    }
#endif

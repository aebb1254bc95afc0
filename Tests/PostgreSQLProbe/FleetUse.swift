// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import Foundation
    import SecItemPostgreSQL
    import SecItemStore

    /// What a member does, for tests that kill it: PostgreSQLProbe invite|join|rekey CONNECTION-STRING KEY-FILE [TOKEN].
    func useFleet(_ arguments: [String]) throws {
        let store = PostgreSQLStore(PostgreSQLServer(arguments[2]), keyFile: arguments[3])
        print("begun")
        fflush(nil)
        switch arguments[1] {
        case "invite": _ = try store.invite(name: nil, seconds: 60)
        case "join": _ = try store.join(token: Secret(Data(arguments[4].utf8)), name: nil)
        default: _ = try store.rekey(keychains: [], removing: [], passphrase: nil, withoutDamaged: false)
        }
    }
#endif

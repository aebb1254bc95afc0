// SPDX-License-Identifier: Apache-2.0

import Logging

/// The values that environment variables may have. The code that reads the variables and the code that checks them
/// share this list.
package enum ConfigurationWord {
    /// The values of `SECITEM_STORE`.
    package enum Store: String, CaseIterable, Sendable {
        case embedded
        case secretService = "secret-service"
        case memory
        case postgreSQL = "postgresql"
        case automatic
    }

    /// The values of `SECITEM_KEY_CACHE`.
    package enum KeyCache: String, CaseIterable, Sendable {
        case automatic, kernel, runtime, none
    }

    /// The values of `SECITEM_PROTECTOR`.
    package enum Protector: String, CaseIterable, Sendable {
        case tpm
    }

    /// The variable that configures the embedded store, and so selects it where no store is asked for.
    package static func configuringEmbedded(_ environment: [String: String]) -> String? {
        ["SECITEM_DIRECTORY", "SECITEM_PASSPHRASE_FILE", "SECITEM_PROTECTOR"].first {
            environment[$0]?.isEmpty == false
        }
    }

    /// The value of `SECITEM_SYNCHRONIZABLE` that puts synchronizable items into PostgreSQL.
    package static let synchronizableInPostgreSQL = "postgresql"
    /// Whether a database is named and nothing is kept in it, which nobody expects.
    package static func isDatabaseUnused(_ environment: [String: String]) -> Bool {
        func isSet(_ name: String) -> Bool { environment[name]?.isEmpty == false }
        return isSet("SECITEM_POSTGRESQL") && !isSet("SECITEM_STORE") && !isSet("SECITEM_SYNCHRONIZABLE")
    }

    /// What to say about a database that is not used, and what to do about it.
    package static var unusedDatabase: (text: String, remedy: String) {
        (
            "SECITEM_POSTGRESQL is set, but SECITEM_STORE is not: items are kept on this machine",
            "set SECITEM_STORE=postgresql for items in the database, SECITEM_SYNCHRONIZABLE=postgresql for some, "
                + "or unset SECITEM_POSTGRESQL"
        )
    }

    /// The level that `SECITEM_LOG` names, in upper or lower case; nil for another word, which is taken for `debug`.
    package static func logLevel(_ word: String) -> Logger.Level? { Logger.Level(rawValue: word.lowercased()) }
    /// The values of `SECITEM_LOG`.
    package static var logLevels: [String] { Logger.Level.allCases.map(\.rawValue) }

    package static let networkFolderAllowed = "allowed"
    /// The value of `SECITEM_POSTGRESQL_PLAINTEXT` that permits a connection to another machine without TLS, or
    /// without verifying the server.
    package static let plaintextAllowed = "allowed"
    /// The value of `SECITEM_ALLOW_PLAIN_SESSION` that permits a session without encryption.
    package static let plainSessionAllowed = "1"
}

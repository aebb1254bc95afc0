// SPDX-License-Identifier: Apache-2.0

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

    /// The value of `SECITEM_SYNCHRONIZABLE` that puts synchronizable items into PostgreSQL.
    package static let synchronizableInPostgreSQL = "postgresql"
    /// The value of `SECITEM_NETWORK_FOLDER` that permits a folder on a network.
    package static let networkFolderAllowed = "allowed"
    /// The value of `SECITEM_POSTGRESQL_PLAINTEXT` that permits a connection to another machine without TLS, or
    /// without verifying the server.
    package static let plaintextAllowed = "allowed"
    /// The value of `SECITEM_ALLOW_PLAIN_SESSION` that permits a session without encryption.
    package static let plainSessionAllowed = "1"
}

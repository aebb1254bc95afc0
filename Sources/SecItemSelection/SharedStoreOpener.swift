// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemSealing
import SecItemShim
import SecItemStore

#if PostgreSQL
    import SecItemPostgreSQL
#endif

/// Opens a keychain in a PostgreSQL database as configured by the application and its environment.
struct SharedStoreOpener {
    let environment: [String: String]
    /// Reads the settings of the passphrase, which are those of the embedded store.
    let embedded: EmbeddedStoreOpener

    /// The keychain that the environment configures.
    ///
    /// - Throws: As ``open(_:keychain:keyFile:passphrase:allowsPlaintext:reason:)``.
    func open(reason: String) throws(KeychainError) -> ChosenStore {
        try open(
            nil, keychain: value("SECITEM_POSTGRESQL_KEYCHAIN") ?? "default", keyFile: nil, passphrase: .automatic,
            allowsPlaintext: false, reason: reason)
    }

    /// Describes a keychain. Nothing is reached before the first call that needs it.
    ///
    /// - Parameters:
    ///   - connection: A connection string or URI; nil for the environment's.
    ///   - keychain: The name of the keychain.
    ///   - keyFile: The key file; nil for the environment's, or else the default one.
    ///   - passphrase: The source of the passphrase.
    ///   - allowsPlaintext: Whether a connection to another machine may do without TLS or without verifying the server.
    ///     The environment may allow it too.
    ///   - reason: The reason for the choice, for the summary.
    /// - Throws: `errSecNotAvailable` if no database is configured, there is no absolute path for the key file, a setting is
    ///   not known, or the package was built without its trait.
    func open(
        _ connection: String?, keychain: String, keyFile: URL?, passphrase: LinuxKeychain.Passphrase,
        allowsPlaintext: Bool, reason: String
    ) throws(KeychainError) -> ChosenStore {
        #if PostgreSQL
            guard let connection = connection ?? value("SECITEM_POSTGRESQL") else {
                throw .notAvailable("SECITEM_POSTGRESQL does not name a database")
            }
            try forClient { () throws(StoreError) in try embedded.requireKnownProtector() }
            let protector = embedded.protector(passphrase)
            let plaintext = value("SECITEM_POSTGRESQL_PLAINTEXT") == ConfigurationWord.plaintextAllowed
            let server = PostgreSQLServer(connection, allowsPlaintext: allowsPlaintext || plaintext)
            var chosen = ChosenStore(
                store: PostgreSQLStore(
                    server, name: keychain, keyFile: try keyFilePath(keyFile), chip: embedded.chipSeal,
                    sealsKeyFile: embedded.asksForChip(passphrase),
                    // The root key is the same for all machines. The chip of each seals what is on that machine.
                    protector: protector is ChipProtector ? KeyFileProtector() : protector),
                reason: reason)
            chosen.passphraseOrigin = embedded.origin(of: passphrase)
            chosen.isPassphraseAtHand = embedded.isAtHand(passphrase)
            return chosen
        #else
            throw .notAvailable("the package was built without its trait PostgreSQL")
        #endif
    }

    private func value(_ name: String) -> String? {
        environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    private func keyFilePath(_ keyFile: URL?) throws(KeychainError) -> String {
        if let path = keyFile?.path { return path }
        if let path = value("SECITEM_POSTGRESQL_KEY_FILE") {
            guard path.hasPrefix("/") else {
                throw .notAvailable("SECITEM_POSTGRESQL_KEY_FILE is \"\(path)\", which is not an absolute path")
            }
            return path
        }
        do throws(StoreError) {
            return try UserFolder.data.path(environment: environment) + "/secitem/postgresql.key"
        } catch {
            // The folder of the embedded store, which the error may name, does not help here.
            throw .notAvailable(
                "there is no folder of the user's for the key file: set SECITEM_POSTGRESQL_KEY_FILE to its absolute path"
            )
        }
    }
}

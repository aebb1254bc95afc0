// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemSQLite
import SecItemShim
import SecItemStore

/// A store, as commands name it.
package enum KeychainPlace: Sendable, Hashable {
    /// The store that programs use.
    case standard
    /// The user's embedded store, or the one in that folder.
    case embedded(folder: String?)
    /// The desktop's Secret Service.
    case secretService
    /// The database that `SECITEM_POSTGRESQL` names, and the keychain of that name in it, or the configured one.
    case postgreSQL(keychain: String?)

    /// - Parameter name: `default`, `embedded`, `embedded:FOLDER`, `secret-service`, `postgresql`,
    ///   `postgresql:KEYCHAIN`, or the path of a folder.
    /// - Throws: `errSecNoSuchKeychain` for any other name; as ``FolderPath/canonical(_:)`` for a path.
    package init(parsing name: String) throws(KeychainError) {
        switch name {
        case "", "default": self = .standard
        case "embedded": self = .embedded(folder: nil)
        case "secret-service": self = .secretService
        case "postgresql": self = .postgreSQL(keychain: nil)
        case _ where name.hasPrefix("postgresql:") && !name.hasPrefix("postgresql://"):
            self = .postgreSQL(keychain: String(name.dropFirst("postgresql:".count)))
        default:
            let word = "embedded:", isEmbedded = name.hasPrefix(word)
            let path = isEmbedded ? String(name.dropFirst(word.count)) : name
            guard isEmbedded && !path.isEmpty || path.contains("/") else {
                throw KeychainError(
                    errSecNoSuchKeychain,
                    "\"\(name)\" is not default, embedded, embedded:FOLDER, secret-service, postgresql, postgresql:KEYCHAIN "
                        + "or a folder's path")
            }
            self = .embedded(folder: try FolderPath.canonical(path))
        }
    }

    /// Opens the store. If it does not exist, the first stored item creates it.
    ///
    /// - Parameter recordsFolder: Whether a folder that is named becomes the recorded place of this program's items when one
    ///   is stored there.
    /// - Throws: The status that every call gives while the store is not available.
    package func open(
        _ interaction: Interaction = .allowed, recordsFolder: Bool = true
    ) throws(KeychainError) -> ChosenStore {
        switch self {
        case .standard: try LinuxKeychain.chosenStore(interaction)
        case .embedded(let folder): try Self.openEmbedded(folder, interaction, recordsFolder)
        case .secretService: try LinuxKeychain.open(.secretService, interaction: interaction)
        case .postgreSQL(let keychain):
            try LinuxKeychain.open(Self.database(keychain, SecureExecution.environment), interaction: interaction)
        }
    }

    /// The folder of the embedded store if none is named, as it is spelled.
    package static var ownFolder: String? {
        let named = SecureExecution.environment["SECITEM_DIRECTORY"] ?? ""
        return named.isEmpty ? try? StoreLocation.user().folder : named
    }

    private static func openEmbedded(
        _ folder: String?, _ interaction: Interaction, _ recordsFolder: Bool
    ) throws(KeychainError) -> ChosenStore {
        var application = LinuxKeychain.client
        let own = ownFolder.flatMap { try? FolderPath.canonical($0) }
        application.recordsPlace = recordsFolder || folder == nil || folder == own
        return try LinuxKeychain.open(
            .embedded(directory: folder.map { URL(fileURLWithPath: $0) }, passphrase: .automatic),
            application: application, interaction: interaction)
    }

    /// The keychain of that name, or else the one that the environment names, in the database that it names.
    static func database(_ keychain: String?, _ environment: [String: String]) -> LinuxKeychain.Store {
        let configured = environment["SECITEM_POSTGRESQL_KEYCHAIN"].flatMap { $0.isEmpty ? nil : $0 }
        return .postgreSQL(nil, keychain: keychain ?? configured ?? "default")
    }
}

// SPDX-License-Identifier: Apache-2.0

import Foundation
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

    /// - Parameter name: `default`, `embedded`, `embedded:/a/folder`, `secret-service`, or the path of a folder.
    /// - Throws: `errSecNoSuchKeychain` for any other name.
    package init(parsing name: String) throws(KeychainError) {
        switch name {
        case "", "default": self = .standard
        case "embedded": self = .embedded(folder: nil)
        case "secret-service": self = .secretService
        default:
            let path = name.hasPrefix("embedded:") ? String(name.dropFirst("embedded:".count)) : name
            guard path.contains("/") else {
                throw KeychainError(
                    errSecNoSuchKeychain,
                    "\"\(name)\" is not default, embedded, embedded:FOLDER, secret-service or a folder's path")
            }
            self = .embedded(folder: URL(fileURLWithPath: path).standardizedFileURL.path)
        }
    }

    /// Opens the store. If it does not exist, the first stored item creates it.
    ///
    /// - Throws: The status that every call gives while the store is not available.
    package func open(_ interaction: Interaction = .allowed) throws(KeychainError) -> ChosenStore {
        switch self {
        case .standard: try LinuxKeychain.chosenStore(interaction)
        case .embedded(let folder):
            try LinuxKeychain.open(
                .embedded(directory: folder.map { URL(fileURLWithPath: $0) }, passphrase: .automatic),
                interaction: interaction)
        case .secretService: try LinuxKeychain.open(.secretService, interaction: interaction)
        }
    }
}

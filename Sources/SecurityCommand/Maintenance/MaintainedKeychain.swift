// SPDX-License-Identifier: Apache-2.0

import SecItemMaintenance
import SecItemShim
import SecItemStore

/// Which keychain a command of ours works on.
enum MaintainedKeychain: Equatable {
    /// A store, by its kind or folder.
    case place(KeychainPlace)
    /// A keychain that `create-keychain` made, in this folder.
    case named(String)

    /// The keychain of that name: a kind of store, a folder, or what the other commands call a keychain.
    ///
    /// A path means a store in that very folder where there is one.
    ///
    /// - Throws: ``CommandFailure`` with `errSecNoSuchKeychain` for a bare name that no keychain has.
    init(_ name: String) throws {
        if let place = try? KeychainPlace(parsing: name), Self.isMeantLiterally(name) {
            self = .place(place)
            return
        }
        let path: String
        do { path = try KeychainFolder.path(name) } catch {
            // Without a folder for data, a bare name is that of the store that programs use, or none.
            guard case .login? = try? KeychainName(name) else { throw error }
            self = .place(.standard)
            return
        }
        if KeychainFolder.isKeychain(path) {
            self = KeychainFolder.isOfPrograms(path) ? .place(.embedded(folder: path)) : .named(path)
            return
        }
        switch try? KeychainName(name) {
        case .login: self = .place(.standard)
        case .embedded: self = .place(.embedded(folder: nil))
        default:
            guard let place = try? KeychainPlace(parsing: name) else {
                throw CommandFailure("SecKeychainOpen", errSecNoSuchKeychain, reason: path)
            }
            self = .place(place)
        }
    }

    /// Words are, and so is the path of a folder with a store in it. What `create-keychain` makes ends in `-db`, and may be
    /// unlocked.
    private static func isMeantLiterally(_ name: String) -> Bool {
        !name.contains("/") || name.hasPrefix("embedded:") || !name.hasSuffix("-db") && KeychainFolder.isKeychain(name)
    }

    /// The store as maintenance names it.
    var place: KeychainPlace {
        switch self {
        case .place(let place): place
        case .named(let path): .embedded(folder: path)
        }
    }

    /// Opens the store; a named keychain with the keys of who has unlocked it.
    ///
    /// - Parameter recordsFolder: As ``KeychainPlace/open(_:recordsFolder:)`` has it. A named keychain never is recorded.
    func open(recordsFolder: Bool = true) throws(KeychainError) -> ChosenStore {
        guard case .named(let path) = self else { return try place.open(recordsFolder: recordsFolder) }
        do {
            var chosen = ChosenStore(store: try NamedKeychain(path).open(), reason: "it was named")
            chosen.place = path
            return chosen
        } catch let failure as CommandFailure {
            throw KeychainError(failure.status ?? errSecNotAvailable, failure.message ?? path)
        } catch {
            throw KeychainError(errSecNotAvailable, path)
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemSQLite
import SecItemSealing
import SecItemShim
import SecItemStore

/// A keychain in a folder of its own: an embedded store with a password.
///
/// Who has unlocked it has unlocked it for every process of the user, as on a Mac, until it is locked again, is not used for
/// as long as its settings say, or the machine sleeps or restarts.
struct NamedKeychain {
    let path: String

    init(_ path: String) {
        self.path = path
    }

    private var location: StoreLocation { StoreLocation(folder: path) }
    private var protector: PassphraseProtector { PassphraseProtector(sources: []) }

    /// Makes the keychain and puts it into the search list. It is unlocked then.
    ///
    /// - Throws: ``CommandFailure`` with `errSecDuplicateKeychain` when there is one.
    func create(_ password: Secret) throws -> SQLiteStore {
        // Of two that make it at once, the second one sees the first one's.
        try KeychainListFile.user().exclusively { held in
            if KeychainFolder.isKeychain(path) {
                let reason = "\(path) already exists: unlock-keychain opens it"
                throw CommandFailure("SecKeychainCreate", errSecDuplicateKeychain, reason: reason)
            }
            var before = KeychainList()
            // First: whatever ends this, there is no keychain that is in no list.
            try held.change { list in
                before = list
                // The default keychain it may have been before it was gone.
                list.search.removeAll { $0 == .folder(path) }
                list.search.append(.folder(path))
                list.limits[.folder(path)] = KeychainList.limitsOfNew
            }
            do { return try make(password) } catch {
                // A full disk may end this after there is a keychain. It stays in the list then, as after a kill.
                if !KeychainFolder.isKeychain(path) { try held.change { $0 = before } }
                throw error
            }
        }
    }

    private func make(_ password: Secret) throws -> SQLiteStore {
        do throws(StoreError) {
            let source = PassphraseSource.closure { password }
            let store = try SQLiteStore(
                location: location, protector: PassphraseProtector(sources: [source]), cache: .none)
            // What is no command makes keychains without the list: whose password this is, is not known.
            try store.unlock(passphrase: password)
            return store
        } catch {
            throw CommandFailure("SecKeychainCreate", error)
        }
    }

    /// Opens the keychain, with the keys of who has unlocked it.
    ///
    /// - Throws: ``CommandFailure`` when there is none, or it cannot be opened.
    func open() throws -> SQLiteStore {
        let store = try openLocked()
        do throws(StoreError) { try store.takeSharedUnlock(in: .chosen) } catch {
            throw CommandFailure("SecKeychainOpen", error)
        }
        return store
    }

    /// Opens the keychain without looking whether somebody has unlocked it.
    func openLocked() throws -> SQLiteStore {
        do throws(StoreError) {
            let store = try SQLiteStore(madeWhenNeeded: location, protector: protector, cache: .none)
            if store.isOpen { return store }
        } catch {
            throw CommandFailure("SecKeychainOpen", error)
        }
        let reason = KeychainFolder.isOfSystemOfAMac(path) ? "\(path): \(Self.whereAuthoritiesAre)" : path
        throw CommandFailure("SecKeychainOpen", errSecNoSuchKeychain, reason: reason)
    }

    private static let whereAuthoritiesAre =
        "Linux has no system keychains; Debian has the machine's authorities in /etc/ssl/certs/ca-certificates.crt"

    /// Deletes its files, and its folder if nothing else is in it, and takes it out of the list. Other files in the folder stay.
    ///
    /// Another process that makes a keychain there, or changes the list, waits. After an interruption, it can be repeated.
    ///
    /// - Throws: ``CommandFailure`` with `errSecNoSuchKeychain` when there is none; what kept it from being deleted. It is not in
    ///   the list then either: one that is damaged would keep every command from going on.
    func delete() throws {
        try KeychainListFile.user().exclusively { held in
            guard KeychainFolder.isKeychain(path) else {
                try held.change { $0.remove(.folder(path)) }
                throw CommandFailure("SecKeychainDelete", errSecNoSuchKeychain, reason: path)
            }
            do { try deleteFiles() } catch {
                try held.change { $0.remove(.folder(path)) }
                CommandContext.current.note(
                    "security: \(PrintedBytes.line(path)) was removed from the search list, but not deleted")
                throw error
            }
            try held.change { $0.remove(.folder(path)) }
        }
    }

    private func deleteFiles() throws {
        // Without its key, there is nothing to unlock: an earlier deletion was interrupted.
        if access(location.keyFilePath, F_OK) == 0 { try openLocked().endSharedUnlock(in: .chosen) }
        // The key first: without it, the rest is of no use to anybody. The database last: as long as it is there, there is a
        // keychain to delete.
        let rest = location.filePaths.filter { $0 != location.databasePath }
        for file in [location.keyFilePath] + rest + [location.databasePath] where unlink(file) != 0 && errno != ENOENT {
            throw CommandFailure("\(file): \(String(cString: strerror(errno)))")
        }
        rmdir(path)
    }
}

extension FirstUnlockCache {
    /// Where keys are kept from one process to the next: what `SECITEM_KEY_CACHE` says.
    ///
    /// - Throws: ``StoreError/Code/unavailable`` when that is nothing known.
    static var chosen: FirstUnlockCache {
        get throws(StoreError) { try FirstUnlockCache(environment: SecureExecution.environment) }
    }
}

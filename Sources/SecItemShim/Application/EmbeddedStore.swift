import Foundation
import SecItemSQLite
import SecItemStore

/// Opens the embedded store as the application and its environment want it.
struct EmbeddedStore {
    let environment: [String: String]

    /// - Parameters:
    ///   - directory: The store's folder; nil for the one that the environment names, else the user's own.
    ///   - passphrase: Where its passphrase comes from.
    /// - Throws: `errSecNotAvailable` or `errSecDecode` when the folder or the file cannot be used; nothing in it has
    ///   changed then.
    func open(
        directory: URL?, passphrase: LinuxKeychain.Passphrase
    ) throws(KeychainError) -> any LockableStore {
        do throws(StoreError) {
            return try SQLiteStore(location: location(directory), protector: protector(passphrase))
        } catch {
            throw KeychainError(error)
        }
    }

    /// The environment variable that configures the embedded store, and so asks for it.
    var configuringVariable: String? {
        ["SECITEM_DIRECTORY", "SECITEM_PASSPHRASE_FILE"].first { environment[$0]?.isEmpty == false }
    }

    /// Whether the user's embedded store holds anything of an application's. Does not make a store.
    ///
    /// A store that is locked, or that cannot be read, may hold something.
    func hasItems(of application: ClientApplication) throws(KeychainError) -> Bool {
        guard let location = try? location(nil), FileManager.default.fileExists(atPath: location.databasePath) else {
            return false
        }
        let groups = try application.readableGroups(naming: nil)
        let store = try open(directory: nil, passphrase: .automatic)
        return ItemClass.stored.contains { itemClass in
            let filter = RecordFilter(itemClass: itemClass, accessGroups: groups)
            let found = try? store.records(matching: filter, parts: [], limit: 1, interaction: .forbidden)
            return found?.isEmpty != true
        }
    }

    /// - Throws: `errSecUnimplemented` when the store is not an embedded one, `errSecAuthFailed` for a wrong passphrase.
    static func setPassphrase(
        _ passphrase: Secret?, current: Secret?, of store: any KeychainStore
    ) throws(KeychainError) {
        guard let store = store as? SQLiteStore else { throw .unimplemented("the store has no passphrase of its own") }
        do throws(StoreError) {
            try store.setPassphrase(passphrase, current: current)
        } catch {
            throw KeychainError(error)
        }
    }

    private func location(_ directory: URL?) throws(StoreError) -> StoreLocation {
        if let path = directory?.path ?? environment["SECITEM_DIRECTORY"], !path.isEmpty {
            return StoreLocation(folder: path)
        }
        return try StoreLocation.user(environment: environment)
    }

    private func protector(_ passphrase: LinuxKeychain.Passphrase) -> any RootKeyProtector {
        switch passphrase {
        case .none: KeyFileProtector()
        case .file(let url): PassphraseProtector(sources: [.file(path: url.path)])
        case .closure(let ask): PassphraseProtector(sources: [.closure { try ask().map { Secret($0) } }])
        case .automatic: automaticProtector
        }
    }

    private var automaticProtector: any RootKeyProtector {
        if let path = environment["SECITEM_PASSPHRASE_FILE"], !path.isEmpty {
            return PassphraseProtector(sources: [.file(path: path)])
        }
        if let folder = environment["CREDENTIALS_DIRECTORY"], hasCredential(in: folder) {
            return PassphraseProtector(sources: [.systemdCredential])
        }
        return KeyFileProtector()
    }

    /// A service that was given other credentials only has no passphrase.
    private func hasCredential(in folder: String) -> Bool {
        FileManager.default.fileExists(atPath: "\(folder)/secitem-passphrase")
    }
}

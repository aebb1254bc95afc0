import Foundation
import SecItemSQLite
import SecItemShim
import SecItemStore

/// Opens the embedded store as the application and its environment want it.
struct EmbeddedStore {
    let environment: [String: String]
    /// The sandbox around the program, whose portal protects the store; nil outside one.
    let sandbox: Sandbox?

    /// - Parameters:
    ///   - directory: The store's folder; nil for the one that the environment names, else the user's own.
    ///   - passphrase: Where its passphrase comes from.
    /// - Throws: `errSecNotAvailable` or `errSecDecode` when the folder or the file cannot be used; nothing in it has
    ///   changed then. In a sandbox also what came of asking the portal: `errSecInteractionNotAllowed` when it did not
    ///   answer in time, `errSecUserCanceled` when a person said no, `errSecAuthFailed` when its secret is another.
    func open(
        directory: URL?, passphrase: LinuxKeychain.Passphrase
    ) throws(KeychainError) -> any LockableStore {
        do throws(StoreError) {
            let location = try location(directory)
            let protector = protector(passphrase)
            guard let sandbox, !protector.needsPassphrase else {
                return try SQLiteStore(location: location, protector: protector)
            }
            return try SandboxedStore(
                location: location, isNew: !isStore(at: location), mayAskForNew: passphrase.isAutomatic,
                sandbox: sandbox)
        } catch {
            throw KeychainError(error)
        }
    }

    /// The environment variable that configures the embedded store, and so asks for it.
    var configuringVariable: String? {
        ["SECITEM_DIRECTORY", "SECITEM_PASSPHRASE_FILE"].first { environment[$0]?.isEmpty == false }
    }

    /// The user's embedded store, if it holds anything of an application's. Does not make a store.
    ///
    /// A store that is locked may hold something.
    ///
    /// - Throws: Why the store that is there cannot be opened: it may hold something too.
    func openWithItems(of application: ClientApplication) throws(KeychainError) -> (any LockableStore)? {
        guard let location = try? location(nil), isStore(at: location) else { return nil }
        let groups = try application.readableGroups(naming: nil)
        let store = try open(directory: nil, passphrase: .automatic)
        let hasItems = ItemClass.stored.contains { itemClass in
            let filter = RecordFilter(itemClass: itemClass, accessGroups: groups)
            let found = try? store.records(matching: filter, parts: [], limit: 1, interaction: .forbidden)
            return found?.isEmpty != true
        }
        return hasItems ? store : nil
    }

    private func location(_ directory: URL?) throws(StoreError) -> StoreLocation {
        if let path = directory?.path ?? environment["SECITEM_DIRECTORY"], !path.isEmpty {
            return StoreLocation(folder: path)
        }
        return try StoreLocation.user(environment: environment)
    }

    private func isStore(at location: StoreLocation) -> Bool {
        FileManager.default.fileExists(atPath: location.databasePath)
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

extension LinuxKeychain.Passphrase {
    fileprivate var isAutomatic: Bool {
        if case .automatic = self { true } else { false }
    }
}

// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemSQLite
import SecItemSealing
import SecItemShim
import SecItemStore

/// Opens the embedded store as configured by the application and its environment.
struct EmbeddedStoreOpener {
    let environment: [String: String]
    let application: ClientApplication
    /// The application whose items are searched.
    let owner: ClientApplication
    /// The sandbox of the program, whose portal protects the store; nil outside a sandbox.
    let sandbox: Sandbox?

    /// - Parameters:
    ///   - directory: The store's folder; nil for the one that the environment names, or else the default one.
    ///   - passphrase: The source of its passphrase.
    ///   - interaction: Whether a person may be asked.
    ///   - reason: The reason for the choice, for the summary.
    /// - Throws: `errSecNotAvailable` or `errSecDecode` if the folder or the file cannot be used; then nothing in it
    ///   has changed. In a sandbox, also an error of the portal: `errSecInteractionNotAllowed` if it did not answer in
    ///   time or may not be asked, `errSecUserCanceled` if a person refused, `errSecAuthFailed` if its secret is a
    ///   different one.
    func open(
        directory: URL?, passphrase: LinuxKeychain.Passphrase, interaction: Interaction, reason: String
    ) throws(KeychainError) -> ChosenStore {
        try forClient { () throws(StoreError) in
            let location = try location(directory)
            if try !isThere(location) { warnOfItemsElsewhere(than: location) }
            let store = try open(location, passphrase, mayAsk: interaction == .allowed)
            var chosen = ChosenStore(store: store, reason: reason)
            chosen.place = location.folder
            chosen.passphraseOrigin = origin(of: passphrase)
            chosen.isPassphraseAtHand = isAtHand(passphrase)
            let file = file(of: application)
            if let file { chosen.forget = { () throws(StoreError) in try file.remove() } }
            return chosen
        }
    }

    /// The file that records where the application's items are; nil if nothing is recorded.
    private func file(of application: ClientApplication) -> PlaceFile? {
        guard application.recordsPlace else { return nil }
        return PlaceFile(environment: environment, identifier: application.identifier)
    }

    /// - Parameter location: Where no store exists yet.
    private func warnOfItemsElsewhere(than location: StoreLocation) {
        guard let recorded = try? file(of: owner)?.place else { return }
        PlaceFile.warn(.embedded(folder: location.folder), isUsedInsteadOf: recorded)
    }

    private func open(
        _ location: StoreLocation, _ passphrase: LinuxKeychain.Passphrase, mayAsk: Bool
    ) throws(StoreError) -> SQLiteStore {
        let protector = protector(passphrase), cache = try FirstUnlockCache(environment: environment)
        try requireKnownProtector()
        let record = file(of: application)?.recording(.embedded(folder: location.folder), isNeeded: false)
        guard let sandbox, protector is KeyFileProtector else {
            return try SQLiteStore(
                madeWhenNeeded: location, protector: protector, others: otherLocations, record: record, cache: cache)
        }
        return try sandbox.openStore(
            at: location, mayAskForNew: passphrase.isAutomatic, mayAsk: mayAsk, others: otherLocations, record: record,
            cache: cache)
    }

    /// The store for a copy of items that are kept elsewhere. It is in a folder of its own below the embedded store's
    /// folder, and is never chosen as a store. It is protected as the embedded store is, but has the passphrase or the chip
    /// of the other place if the embedded store has less.
    ///
    /// - Parameters:
    ///   - name: The name of the folder.
    ///   - directory: The embedded store's folder; nil for the one that the environment names, or else the default one.
    ///   - passphrase: The source of the embedded store's passphrase.
    ///   - passphraseElsewhere: The source of the passphrase of the other place.
    /// - Throws: As ``open(directory:passphrase:interaction:reason:)``.
    func openCopy(
        named name: String, below directory: URL?, _ passphrase: LinuxKeychain.Passphrase,
        elsewhere passphraseElsewhere: LinuxKeychain.Passphrase
    ) throws(StoreError) -> (store: any LockableStore, folder: String) {
        let above = try location(directory)
        let folder = "\(above.folder)/copies/\(name)"
        let own = protector(passphrase), other = protector(passphraseElsewhere)
        let store = try SQLiteStore(
            madeWhenNeeded: StoreLocation(folder: folder, mayBeOnNetwork: mayBeOnNetwork),
            protector: other.isFulfilled(by: own) ? own : other, mayAsk: false,
            cache: FirstUnlockCache(environment: environment))
        return (store, folder)
    }

    /// The folder that the environment gives the store; nil if there is no store in it.
    ///
    /// - Throws: `errSecNotAvailable` if that cannot be determined.
    var existingFolder: String? {
        get throws(KeychainError) {
            try forClient { () throws(StoreError) in
                let location = try location(nil)
                return try isThere(location) ? location.folder : nil
            }
        }
    }

    /// Whether the store holds items of the owner. A locked store counts as one that may hold items.
    func hasItems(_ store: any KeychainStore) throws(KeychainError) -> Bool {
        let groups = try owner.readableGroups(naming: nil)
        return ItemClass.stored.contains { itemClass in
            let filter = RecordFilter(itemClass: itemClass, accessGroups: groups)
            let found = try? store.records(matching: filter, parts: [], limit: 1, interaction: .forbidden)
            return found?.isEmpty != true
        }
    }

    /// The default places of a store of this user. An application that is given another folder may have its items
    /// there.
    var otherLocations: [StoreLocation] {
        var other = environment
        other["XDG_DATA_HOME"] = nil
        return [environment, other].compactMap { try? StoreLocation.user(environment: $0) }
    }

    /// The user says that only one machine uses the folder, or that it only looks like one on a network.
    private var mayBeOnNetwork: Bool {
        environment["SECITEM_NETWORK_FOLDER"] == ConfigurationWord.networkFolderAllowed
    }

    private func location(_ directory: URL?) throws(StoreError) -> StoreLocation {
        if let path = directory?.path ?? environment["SECITEM_DIRECTORY"], !path.isEmpty {
            return StoreLocation(folder: path, mayBeOnNetwork: mayBeOnNetwork)
        }
        let location = try StoreLocation.user(environment: environment)
        return StoreLocation(folder: location.folder, mayBeOnNetwork: mayBeOnNetwork)
    }

    /// A key file alone remains of a store that lost its database. Opening it reports that.
    ///
    /// - Throws: An error if that cannot be determined: a folder that may not be read may contain a store.
    private func isThere(_ location: StoreLocation) throws(StoreError) -> Bool {
        for path in [location.databasePath, location.keyFilePath] {
            var status = stat()
            if lstat(path, &status) == 0 { return true }
            if errno != ENOENT && errno != ENOTDIR {
                throw StoreError(.unavailable, "\(path): \(String(cString: strerror(errno)))")
            }
        }
        return false
    }

    func requireKnownProtector() throws(StoreError) {
        let word = environment["SECITEM_PROTECTOR"] ?? ""
        guard word.isEmpty || ConfigurationWord.Protector(rawValue: word) != nil else {
            throw StoreError(.unavailable, "the value of SECITEM_PROTECTOR is unknown: only tpm is supported")
        }
    }

    // MARK: The passphrase

    /// The protection of the root key that the passphrase's source gives.
    func protector(_ passphrase: LinuxKeychain.Passphrase) -> any RootKeyProtector {
        switch passphrase {
        case .none: keyFile
        case .tpm: chip
        case .file(let url): PassphraseProtector(sources: [.file(path: url.path)])
        case .closure(let ask):
            PassphraseProtector(sources: [.closure { try AskedOnce.answer { try ask().map { Secret($0) } } }])
        case .automatic: automaticProtector
        }
    }

    private var automaticProtector: any RootKeyProtector {
        if let path = passphraseFile { return PassphraseProtector(sources: [.file(path: path)]) }
        if let folder = credentialFolder {
            return PassphraseProtector(sources: [.systemdCredential(folder: folder)])
        }
        return asksForChip(.automatic) ? chip : keyFile
    }

    /// Whether a chip is asked for, also where a passphrase protects the root key.
    func asksForChip(_ passphrase: LinuxKeychain.Passphrase) -> Bool {
        switch passphrase {
        case .tpm: true
        case .automatic: environment["SECITEM_PROTECTOR"] == ConfigurationWord.Protector.tpm.rawValue
        case .none, .file, .closure: false
        }
    }

    private var keyFile: KeyFileProtector { KeyFileProtector(orBetter: chip) }

    private var chip: ChipProtector { ChipProtector(chipSeal) }

    /// The machine's chip.
    var chipSeal: ChipSeal {
        ChipSeal { () throws(StoreError) in
            guard let chip = try MachineChip.find(environment: environment) else { throw MachineChip.absence }
            return chip
        }
    }

    /// Where the passphrase comes from, in words.
    func origin(of passphrase: LinuxKeychain.Passphrase) -> String {
        let nowhere = "LinuxKeychain.unlock(passphrase:) alone"
        return switch passphrase {
        case .none, .tpm: nowhere
        case .file(let url): "the file \(url.path)"
        case .closure: "a closure of the application's"
        case .automatic:
            passphraseFile.map { "the file \($0), which SECITEM_PASSPHRASE_FILE names" }
                ?? (credentialFolder == nil ? nowhere : "the systemd credential \(PassphraseSource.credentialName)")
        }
    }

    /// Whether the passphrase can be read without a person.
    func isAtHand(_ passphrase: LinuxKeychain.Passphrase) -> Bool {
        switch passphrase {
        case .none, .tpm, .closure: false
        case .file: true
        case .automatic: passphraseFile != nil || credentialFolder != nil
        }
    }

    private var passphraseFile: String? {
        environment["SECITEM_PASSPHRASE_FILE"].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The folder of the service's credentials, if the service was given a passphrase.
    ///
    /// A service that was given only other credentials has no passphrase. If the process cannot see whether it was
    /// given one, it counts as given, and using it fails. Otherwise a new store would silently have no passphrase.
    private var credentialFolder: String? {
        guard let folder = environment["CREDENTIALS_DIRECTORY"], !folder.isEmpty else { return nil }
        var status = stat()
        if lstat(folder + "/" + PassphraseSource.credentialName, &status) == 0 || errno != ENOENT { return folder }
        // The folder itself may be missing.
        return stat(folder + "/.", &status) == 0 ? nil : folder
    }
}

extension LinuxKeychain.Passphrase {
    fileprivate var isAutomatic: Bool {
        if case .automatic = self { true } else { false }
    }
}

// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemMaintenance
import SecItemSQLite
import SecItemSelection
import SecItemShim
import SecItemStore

/// The keychains of this user that programs choose by themselves, besides those that a command looks through.
///
/// Which one a program gets depends on its environment. A snap's terminal changes `XDG_DATA_HOME` for all programs that are
/// started in it, and over SSH there is no Secret Service. Then an item seems to be missing.
struct KeychainsElsewhere {
    private let places: [ItemPlace]

    /// - Parameter names: What ``Keychain/name`` says of the keychains that are looked through.
    init(besides names: [String]) {
        places = Self.all.filter { place in
            !names.contains { name in
                if case .embedded(let folder) = place { return name == folder || KeychainFolder.isSame(name, folder) }
                return name == ChosenStore.placeOfSecretService
            }
        }
    }

    /// The places that programs have recorded, and the usual ones, each once.
    private static var all: [ItemPlace] {
        var places = (try? PlacedApplication.all().map(\.place)) ?? []
        var usual = SecureExecution.environment
        usual["XDG_DATA_HOME"] = nil
        for environment in [SecureExecution.environment, usual] {
            if let location = try? StoreLocation.user(environment: environment) {
                places.append(.embedded(folder: location.folder))
            }
        }
        places.append(.secretService)
        var known: Set<ItemPlace> = []
        return places.filter { known.insert($0).inserted }
    }

    /// Those that exist, in which `body` finds something. Nobody is asked, and what cannot be looked through is left out.
    private func places(where body: (Keychain) throws -> Bool) -> [ItemPlace] {
        places.filter { place in
            guard place.isThere, let keychain = Keychain.opened(place) else { return false }
            return (try? body(keychain)) ?? false
        }
    }

    /// Says where an item is that was found in none of the keychains of the search list.
    ///
    /// - Parameters:
    ///   - names: The keychains that were looked through. If somebody named others than the login keychain, nothing is said.
    ///   - body: Whether a keychain has the item.
    static func hint(besides names: [KeychainName], _ body: (Keychain) throws -> Bool) {
        guard names.contains(.login), !CommandContext.current.options.isQuiet else { return }
        let searched = names.compactMap { name in (try? Keychain.openIfAny(name))?.name }
        for place in KeychainsElsewhere(besides: searched).places(where: body) {
            let line = "security: note: a matching item is in \(place.words), which \(place.setting) chooses"
            CommandContext.current.note(PrintedBytes.line(line))
        }
    }

    /// What the doctor says about those that have items. Those that a program has recorded are not among them.
    static var findings: [Finding] {
        let recorded = (try? PlacedApplication.all().map(\.place)) ?? []
        let chosen = try? LinuxKeychain.open(.automatic, interaction: .forbidden)
        let others = KeychainsElsewhere(besides: [chosen?.place].compactMap(\.self))
        return others.places { try !$0.isEmpty() }.filter { !recorded.contains($0) }.map { place in
            Finding(
                "elsewhere", .note, "this user has items in \(place.words) too, where programs do not look from here",
                remedy: "\(place.setting) has a program look there")
        }
    }
}

extension ItemPlace {
    /// The place, in words that follow "in".
    fileprivate var words: String {
        switch self {
        case .secretService: "the Secret Service"
        case .embedded(let folder): "the embedded store in \(folder)"
        }
    }

    /// The setting that chooses it.
    fileprivate var setting: String {
        switch self {
        case .secretService: "SECITEM_STORE=secret-service"
        case .embedded(let folder): "SECITEM_DIRECTORY=\(folder)"
        }
    }
}

extension Keychain {
    /// The keychain in that place; nil if it cannot be opened without asking anybody.
    fileprivate static func opened(_ place: ItemPlace) -> Keychain? {
        // This command has no items there.
        var application = ClientApplication(identifier: group)
        application.recordsPlace = false
        let store: LinuxKeychain.Store
        switch place {
        case .secretService: store = .secretService
        case .embedded(let folder): store = .embedded(directory: URL(fileURLWithPath: folder), passphrase: .none)
        }
        guard let chosen = try? LinuxKeychain.open(store, application: application, interaction: .forbidden),
            let name = chosen.place, (chosen.store as? any LockableStore)?.isLocked != true
        else { return nil }
        return Keychain(name, .folder(name), chosen.store)
    }

    /// Whether no item is in it.
    fileprivate func isEmpty() throws(StoreError) -> Bool {
        for itemClass in ItemClass.stored {
            let filter = RecordFilter(itemClass: itemClass)
            if try !store.records(matching: filter, parts: [], limit: 1, interaction: .forbidden).isEmpty {
                return false
            }
        }
        return true
    }
}

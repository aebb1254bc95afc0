// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemMaintenance
import SecItemSQLite
import SecItemSelection
import SecItemShim
import SecItemStore

/// A store in which programs have items, by their files in the state folder.
struct ProgramStore {
    let place: ItemPlace
    let programs: [PlacedApplication]

    /// The stores of all programs of this user.
    ///
    /// - Throws: ``CommandFailure`` if the files cannot be read.
    static func all() throws -> [ProgramStore] {
        let programs: [PlacedApplication]
        do throws(StoreError) { programs = try PlacedApplication.all() } catch {
            throw CommandFailure("the stores of programs", error)
        }
        var places: [ItemPlace] = []
        for program in programs where !places.contains(program.place) { places.append(program.place) }
        return places.map { place in ProgramStore(place: place, programs: programs.filter { $0.place == place }) }
    }

    // MARK: Which store

    /// Whether that is the same store.
    func isRead(by chosen: ChosenStore) -> Bool {
        switch place {
        case .secretService: chosen.isSecretService
        case .embedded(let folder): chosen.place.map { $0 == folder || KeychainFolder.isSame($0, folder) } ?? false
        }
    }

    /// What `--keychain` takes for it.
    var option: String {
        switch place {
        case .secretService: "secret-service"
        case .embedded(let folder): Self.option(forFolder: folder)
        }
    }

    /// What `--keychain` takes for that store; nil for one that only the environment can choose.
    static func option(for chosen: ChosenStore) -> String? {
        if chosen.isSecretService { return "secret-service" }
        if let place = chosen.place, place.hasPrefix("/") { return option(forFolder: place) }
        return Fleet.own(chosen.store) == nil ? nil : "postgresql"
    }

    private static func option(forFolder folder: String) -> String {
        KeychainPlace.ownFolder == folder ? "embedded" : "embedded:\(folder)"
    }

    // MARK: What is in it

    /// What a store says when it is asked for one item, of whichever program.
    enum Answer: Equatable {
        /// It has none.
        case empty
        case hasItems
        /// It says nothing before somebody unlocks it.
        case locked
        /// There is no store in the folder.
        case absent
        case failure(String)
    }

    /// Looks for an item. Prompts nobody.
    func answer() -> Answer {
        switch place {
        case .secretService: return Self.answer(of: .secretService)
        case .embedded(let folder):
            let location = StoreLocation(folder: folder)
            for path in [location.databasePath, location.keyFilePath] {
                var status = stat()
                if lstat(path, &status) == 0 {
                    // How the store of this command is protected says nothing about that one.
                    let directory = URL(fileURLWithPath: folder)
                    return Self.answer(of: .embedded(directory: directory, passphrase: .none))
                }
                if errno != ENOENT && errno != ENOTDIR {
                    return .failure("\(path): \(String(cString: strerror(errno)))")
                }
            }
            return .absent
        }
    }

    private static func answer(of store: LinuxKeychain.Store) -> Answer {
        let error: KeychainError
        do throws(KeychainError) {
            return try hasItems(LinuxKeychain.open(store, interaction: .forbidden).store) ? .hasItems : .empty
        } catch let failure {
            error = failure
        }
        return error.status == errSecInteractionNotAllowed ? .locked : .failure(error.message)
    }

    private static func hasItems(_ store: any KeychainStore) throws(KeychainError) -> Bool {
        try forClient { () throws(StoreError) in
            for itemClass in ItemClass.stored {
                let filter = RecordFilter(itemClass: itemClass)
                let found = try store.records(matching: filter, parts: [], limit: 1, interaction: .forbidden)
                if !found.isEmpty { return true }
            }
            return false
        }
    }

    // MARK: In words

    var names: String {
        let greatest = 8
        let names = programs.prefix(greatest).map { "\"\($0.identifier)\"" }.joined(separator: ", ")
        return programs.count > greatest ? "\(names) and \(programs.count - greatest) others" : names
    }

    /// The store, in words that follow "in".
    var name: String {
        switch place {
        case .secretService: "the Secret Service"
        case .embedded(let folder): "the embedded store in \(folder)"
        }
    }
}

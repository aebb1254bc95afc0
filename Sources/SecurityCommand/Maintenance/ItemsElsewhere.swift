// SPDX-License-Identifier: Apache-2.0

import SecItemShim

/// The programs whose items are in another store than the one that a command reads because no keychain was named.
///
/// Each program chooses its store by itself, and this command only by its own identifier. Where no Secret Service runs, the
/// two differ.
struct ItemsElsewhere {
    private let chosen: ChosenStore
    private let stores: [ProgramStore]
    /// The stores that were in folders in which there is none now.
    private let absent: [ProgramStore]

    /// - Parameter chosen: The store that the command reads.
    /// - Throws: ``CommandFailure`` if it cannot be determined where programs have their items.
    init(than chosen: ChosenStore) throws {
        self.chosen = chosen
        var stores: [ProgramStore] = [], absent: [ProgramStore] = []
        for store in try ProgramStore.all() where !store.isRead(by: chosen) {
            switch store.answer() {
            case .empty: continue
            case .absent: absent.append(store)
            // What does not answer may have items.
            case .hasItems, .locked, .failure: stores.append(store)
            }
        }
        self.stores = stores
        self.absent = absent
    }

    /// For a command whose result would pass for complete.
    ///
    /// - Throws: ``CommandFailure`` with `errSecNotAvailable` if a program has items elsewhere.
    func refuse(_ command: String) throws {
        for store in absent {
            CommandContext.current.note(
                PrintedBytes.line(
                    "security: note: items of \(store.names) were in \(store.name), where there is no keychain now"))
        }
        guard !stores.isEmpty else { return }
        var parts = stores.map(Self.sentence)
        if let option = ProgramStore.option(for: chosen) {
            parts.append("--keychain \(option) means the store that was chosen here, alone")
        }
        throw CommandFailure(command, errSecNotAvailable, reason: parts.joined(separator: "; "))
    }

    /// For any other command.
    func tell() {
        for store in stores {
            CommandContext.current.note(PrintedBytes.line("security: note: \(Self.sentence(store))"))
        }
    }

    private static func sentence(_ store: ProgramStore) -> String {
        "items of \(store.names) are in \(store.name), which --keychain \(store.option) reads"
    }
}

// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainObjects

struct Card: Codable, Sendable {
    var holder: String
    var number: String
}

/// Adds cards, changes one and deletes all of them, each by its reference.
@main struct UseKeychainObjects {
    static func main() async throws {
        let cards = KeychainObjectStore<Card>(service: "com.example.wallet.cards")
        let first = try await cards.add(Card(holder: "Anna", number: "4111"))
        let twin = try await cards.add(Card(holder: "Anna", number: "4111"))
        print("two equal cards: \(first == twin ? "one item" : "two items")")

        try await cards.update(twin, with: Card(holder: "Berta", number: "5500"))
        for entry in try await cards.all() { print("card of \(entry.object.holder)") }
        print("by reference: \(try await cards.find(twin)?.holder ?? "none")")

        print("removed: \(try await cards.remove(first))")
        do {
            try await cards.update(first, with: Card(holder: "Clara", number: "6011"))
        } catch {
            print("refused: \(error)")
        }
        try await cards.removeAll()
        print("afterwards: \(try await cards.references().count)")
    }
}

// SPDX-License-Identifier: Apache-2.0

import KeychainObjects

struct Card: Codable, Sendable {
    var holder: String
    var number: String
}

let cards = KeychainObjectStore<Card>(service: "com.example.wallet.cards")
let reference = try cards.add(Card(holder: "Anna", number: "4111"))
try cards.update(reference, with: Card(holder: "Anna", number: "5500"))
for entry in try cards.all() { print(entry.object.holder) }
try cards.remove(reference)

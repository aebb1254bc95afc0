// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Reads the `kSecReturn…` keys.
struct ReturnParser {
    private(set) var kinds: ResultShape.Kinds = []

    private static let kindsByKey: [(key: CallerText, kind: ResultShape.Kinds)] = [
        (.kSecReturnData, .data),
        (.kSecReturnAttributes, .attributes),
        (.kSecReturnRef, .reference),
        (.kSecReturnPersistentRef, .persistentReference),
    ]

    private static func kind(_ key: CallerText) -> ResultShape.Kinds? {
        kindsByKey.first { $0.key == key }?.kind
    }

    /// Whether it is one of the `kSecReturn…` keys.
    static func knows(_ key: CallerText) -> Bool {
        kind(key) != nil
    }

    /// - Throws: `errSecParam` for an unknown key, or if a value is not a boolean (a number 1 is not).
    mutating func add(_ key: CallerText, _ value: CallerValue) throws(KeychainError) {
        guard let kind = Self.kind(key) else { throw .param("a kSecReturn key is unknown") }
        guard let isWanted = value.boolean else { throw .param("a kSecReturn key's value is not a boolean") }
        if isWanted { kinds.insert(kind) }
    }
}

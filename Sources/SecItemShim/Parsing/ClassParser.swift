// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// Finds the class of a dictionary: in `kSecClass`, or else in a persistent reference or live object.
struct ClassParser {
    let itemClass: ItemClass
    let reference: PersistentReferenceValue?
    let live: LiveValue?

    /// - Throws: `errSecParam` if there is no class, or a live object has another class; `errSecNoSuchClass` if the
    ///   class does not exist or is not that of the persistent reference.
    init(_ dictionary: CallerDictionary) throws(KeychainError) {
        let given = dictionary[.kSecValuePersistentRef]
        let parsed = given.flatMap(PersistentReferenceValue.init)
        let named = try dictionary[.kSecClass]?.text.map(Self.itemClass)
        if given != nil && parsed == nil { throw .param("kSecValuePersistentRef is not a persistent reference") }
        live = try dictionary[.kSecValueRef].map { value throws(KeychainError) in try LiveValue(value) }
        guard let itemClass = named ?? parsed?.itemClass ?? live?.itemClass else {
            throw .param("kSecClass is missing")
        }
        if let parsed, parsed.itemClass != itemClass {
            throw .noSuchClass("kSecClass is not the class of the persistent reference")
        }
        if let live, live.itemClass != itemClass { throw .param("kSecValueRef is of another class") }
        self.itemClass = itemClass
        reference = parsed
    }

    private static func itemClass(named name: CallerText) throws(KeychainError) -> ItemClass {
        guard let itemClass = ItemClass(name) else { throw .noSuchClass("kSecClass is not a class") }
        return itemClass
    }
}

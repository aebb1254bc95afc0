// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// Finds the class that a dictionary is about: from `kSecClass`, else from a persistent reference or live object.
struct ClassParser {
    let itemClass: ItemClass
    let reference: PersistentReferenceValue?
    let live: LiveValue?

    /// - Throws: `errSecParam` when there is no class or a live object of another, `errSecNoSuchClass` for one that
    ///   does not exist or is not that of the persistent reference.
    init(_ dictionary: CallerDictionary) throws(KeychainError) {
        let given = dictionary["v_PersistentRef"]
        let parsed = given.flatMap(PersistentReferenceValue.init)
        let named = try dictionary["class"]?.text.map(Self.itemClass)
        if given != nil && parsed == nil { throw .param("kSecValuePersistentRef is not a persistent reference") }
        live = try dictionary["v_Ref"].map { value throws(KeychainError) in try LiveValue(value) }
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

/// The bytes of `kSecValuePersistentRef`, understood.
enum PersistentReferenceValue {
    /// The four letters of a class and a UUID: what this keychain gives out.
    case item(PersistentReference)
    /// The four letters of a class and a row number, as old Apple systems gave out. It names no item here.
    case row(ItemClass)

    var itemClass: ItemClass {
        switch self {
        case .item(let reference): reference.itemClass
        case .row(let itemClass): itemClass
        }
    }

    /// The item meant, when the bytes can name one.
    var item: PersistentReference? {
        if case .item(let reference) = self { reference } else { nil }
    }

    init?(_ value: CallerValue) {
        guard case .data(let data) = value, data.length == 12 || data.length == 20 else { return nil }
        let bytes = [UInt8](data.copiedData)
        guard let itemClass = ItemClass(rawValue: String(decoding: bytes.prefix(4), as: UTF8.self)) else { return nil }
        switch bytes.count {
        case 12: self = .row(itemClass)
        case 20:
            let uuid = bytes.dropFirst(4).withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) }
            self = .item(PersistentReference(itemClass: itemClass, uuid: UUID(uuid: uuid)))
        default: return nil
        }
    }
}

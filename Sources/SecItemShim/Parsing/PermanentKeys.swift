// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The attributes of a new pair of keys, and the items to store.
///
/// The top-level parameters apply to both keys. `kSecPrivateKeyAttrs` and `kSecPublicKeyAttrs` add to or override them
/// for one key. So `kSecAttrIsPermanent` at the top level stores both, as on Apple's platforms.
struct PermanentKeys {
    private let ofPublic, ofPrivate: CallerDictionary
    private let storesPublic, storesPrivate: Bool

    /// - Throws: `errSecParam` if the parameters or a value are NULL, if a half is no dictionary, or if
    ///   `kSecAttrIsPermanent` is no truth value.
    init(_ parameters: NSDictionary) throws(KeychainError) {
        let parameters = try CallerDictionary(parameters)
        ofPublic = try parameters.ofKey(.kSecPublicKeyAttrs)
        ofPrivate = try parameters.ofKey(.kSecPrivateKeyAttrs)
        storesPublic = try ofPublic.isPermanent
        storesPrivate = try ofPrivate.isPermanent
    }

    /// The pair as objects, which obey the restrictions of the parameters.
    ///
    /// - Throws: `errSecParam` if a value has the wrong type.
    func pair(of material: any KeyMaterial) throws(KeychainError) -> (publicKey: SecKey, privateKey: SecKey) {
        let permitted = try KeyPermissions(ofPublic.permissions(), isPrivate: false)
        let permittedPrivately = try KeyPermissions(ofPrivate.permissions(), isPrivate: true)
        return (
            SecKey(material.publicMaterial, permitting: permitted), SecKey(material, permitting: permittedPrivately)
        )
    }

    /// The items of the permanent keys, in the order in which to add them.
    ///
    /// - Throws: The errors of ``NewItem``.
    func items(of pair: (publicKey: SecKey, privateKey: SecKey)) throws(KeychainError) -> [NewItem] {
        var items: [NewItem] = []
        if storesPublic { items.append(try Self.item(ofPublic, of: pair.publicKey)) }
        if storesPrivate { items.append(try Self.item(ofPrivate, of: pair.privateKey)) }
        return items
    }

    /// Checks the attributes of the private key, even if it is not stored.
    ///
    /// - Throws: The errors of ``NewItem``.
    func check(_ privateKey: SecKey) throws(KeychainError) {
        _ = try Self.item(ofPrivate, of: privateKey)
    }

    private static func item(_ dictionary: CallerDictionary, of key: SecKey) throws(KeychainError) -> NewItem {
        try ForbiddenAttributes.check(dictionary)
        return try NewItem(parsing: dictionary.adding(.string(.kSecValueRef), .object(key)))
    }
}

extension CallerDictionary {
    /// Parameters that belong to the pair and not to an item, and attributes that the new key itself determines.
    private static let ofPairs: Set<CallerText> = [
        .kSecPublicKeyAttrs, .kSecPrivateKeyAttrs, .kSecAttrKeyType, .kSecAttrKeySizeInBits, .kSecAttrKeyClass,
        .kSecValueRef, .kSecValueData, .kSecValuePersistentRef,
    ]

    /// The dictionary for one key.
    ///
    /// - Parameter name: The parameter that holds the key's own attributes.
    fileprivate func ofKey(_ name: CallerText) throws(KeychainError) -> CallerDictionary {
        var own = CallerDictionary(entries: [])
        switch self[name] {
        case nil: break
        case .dictionary(let dictionary): own = try CallerDictionary(dictionary)
        default: throw .param("\(name.string) is not a dictionary")
        }
        let named = Set(own.entries.compactMap(\.key.text))
        // A public key is meant to be shared, so only its own attributes prevent its export.
        let ofPrivate: Set<CallerText> =
            name == .kSecPublicKeyAttrs
            ? Set(KeyPermissions.keepingInside.map { CallerText($0.code) }).union([
                .kSecAttrTokenID, .kSecAttrAccessControl,
            ]) : []
        let common = entries.filter { entry in
            entry.key.text.map { !named.contains($0) && !ofPrivate.contains($0) } ?? true
        }
        return CallerDictionary(
            entries: (own.entries + common)
                .filter { entry in !(entry.key.text.map(Self.ofPairs.contains) ?? false) }
                .map { ($0.key, $0.value.copied) })
    }

    /// - Throws: `errSecParam` for anything but a truth value.
    fileprivate var isPermanent: Bool {
        get throws(KeychainError) {
            guard let value = self[.kSecAttrIsPermanent] else { return false }
            if let boolean = value.boolean { return boolean }
            guard let number = value.number, 0...1 ~= number else {
                throw .param("kSecAttrIsPermanent is not a truth value")
            }
            return number == 1
        }
    }
}

extension CallerValue {
    /// The value with bytes that the caller cannot change, or free, while the keys are made.
    fileprivate var copied: CallerValue {
        if case .data(let data) = self { .data(NSData(bytes: data.bytes, length: data.length)) } else { self }
    }
}

extension CallerDictionary.Key {
    fileprivate var text: CallerText? {
        if case .string(let text) = self { text } else { nil }
    }
}

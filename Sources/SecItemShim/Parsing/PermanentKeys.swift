// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The attributes of a new pair of keys, and the items to store.
///
/// The top-level parameters apply to both keys. `kSecPrivateKeyAttrs` and `kSecPublicKeyAttrs` add to or override them
/// for one key. So `kSecAttrIsPermanent` at the top level stores both, as on Apple's platforms.
struct PermanentKeys {
    private let halves: [Half: CallerDictionary]
    /// The keys to store, in the order in which to add them.
    private let stored: [Half]

    enum Half: CaseIterable {
        case publicKey
        case privateKey

        /// The parameter that holds the key's own attributes.
        var name: CallerText { self == .publicKey ? .kSecPublicKeyAttrs : .kSecPrivateKeyAttrs }
    }

    /// - Throws: `errSecParam` if the parameters, or a value among them, are NULL or of the wrong type.
    init(_ parameters: NSDictionary) throws(KeychainError) {
        let parameters = try CallerDictionary(parameters)
        var halves: [Half: CallerDictionary] = [:]
        for half in Half.allCases {
            halves[half] = try parameters.ofHalf(half)
        }
        self.halves = halves
        var stored: [Half] = []
        for half in Half.allCases where try halves[half]?.isPermanent ?? false { stored.append(half) }
        self.stored = stored
    }

    /// The pair as objects, which obey the restrictions of the parameters.
    ///
    /// - Throws: `errSecParam` if a value has the wrong type.
    func pair(of material: any KeyMaterial) throws(KeychainError) -> (publicKey: SecKey, privateKey: SecKey) {
        let ofPublic = try halves[.publicKey]?.permissions() ?? [:]
        let ofPrivate = try halves[.privateKey]?.permissions() ?? [:]
        return (
            SecKey(material.publicMaterial, permitting: KeyPermissions(ofPublic, isPrivate: false)),
            SecKey(material, permitting: KeyPermissions(ofPrivate, isPrivate: true))
        )
    }

    /// The items of the permanent keys, in the order in which to add them.
    ///
    /// - Throws: The errors of ``NewItem``.
    func items(of pair: (publicKey: SecKey, privateKey: SecKey)) throws(KeychainError) -> [NewItem] {
        var items: [NewItem] = []
        for half in stored {
            guard let dictionary = halves[half] else { continue }
            items.append(try Self.item(dictionary, of: half == .publicKey ? pair.publicKey : pair.privateKey))
        }
        return items
    }

    /// Checks the attributes of the private key, even if it is not stored.
    ///
    /// - Throws: The errors of ``NewItem``.
    func check(_ privateKey: SecKey) throws(KeychainError) {
        if let dictionary = halves[.privateKey] { _ = try Self.item(dictionary, of: privateKey) }
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

    fileprivate func ofHalf(_ half: PermanentKeys.Half) throws(KeychainError) -> CallerDictionary {
        var own = CallerDictionary(entries: [])
        switch self[half.name] {
        case nil: break
        case .dictionary(let dictionary): own = try CallerDictionary(dictionary)
        default: throw .param("\(half.name.string) is not a dictionary")
        }
        let named = Set(own.entries.compactMap(\.key.text))
        // A public key is meant to be shared, so only its own attributes prevent its export.
        let ofPrivate: Set<CallerText> =
            half == .publicKey
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

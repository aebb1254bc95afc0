// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What is said of the keys of a new pair, and the items that they are to be stored as.
///
/// The parameters say what both are; `kSecPrivateKeyAttrs` and `kSecPublicKeyAttrs` say more, or something else, of one of
/// them. So `kSecAttrIsPermanent` at the top keeps both, as on Apple's.
struct PermanentKeys {
    private let halves: [Half: CallerDictionary]

    enum Half: CaseIterable {
        case publicKey
        case privateKey

        /// The key under which the parameters say more of it.
        var name: CallerText { self == .publicKey ? .kSecPublicKeyAttrs : .kSecPrivateKeyAttrs }
    }

    /// - Throws: `errSecParam` for NULL in place of the parameters.
    init(_ parameters: NSDictionary) throws(KeychainError) {
        let parameters = try CallerDictionary(parameters)
        var halves: [Half: CallerDictionary] = [:]
        for half in Half.allCases {
            halves[half] = try parameters.ofHalf(half)
        }
        self.halves = halves
    }

    /// The pair as objects, which keep to what the parameters forbid each of them.
    ///
    /// - Throws: `errSecParam` for a value of the wrong type.
    func pair(of material: any KeyMaterial) throws(KeychainError) -> (publicKey: SecKey, privateKey: SecKey) {
        let ofPublic = try halves[.publicKey]?.permissions() ?? [:]
        let ofPrivate = try halves[.privateKey]?.permissions() ?? [:]
        return (
            SecKey(material.publicMaterial, permitting: KeyPermissions(ofPublic, isPrivate: false)),
            SecKey(material, permitting: KeyPermissions(ofPrivate, isPrivate: true))
        )
    }

    /// The items of that pair that are permanent, in the order in which they are added.
    ///
    /// - Throws: As ``NewItem`` does.
    func items(of pair: (publicKey: SecKey, privateKey: SecKey)) throws(KeychainError) -> [NewItem] {
        var items: [NewItem] = []
        for half in Half.allCases {
            guard let dictionary = halves[half], dictionary.isPermanent else { continue }
            items.append(try Self.item(dictionary, of: half == .publicKey ? pair.publicKey : pair.privateKey))
        }
        return items
    }

    /// Reads what is said of the private key, though it may not be kept.
    ///
    /// - Throws: As ``NewItem`` does.
    func check(_ privateKey: SecKey) throws(KeychainError) {
        if let dictionary = halves[.privateKey] { _ = try Self.item(dictionary, of: privateKey) }
    }

    private static func item(_ dictionary: CallerDictionary, of key: SecKey) throws(KeychainError) -> NewItem {
        try ForbiddenAttributes.check(dictionary)
        return try NewItem(parsing: dictionary.adding(.string(.kSecValueRef), .object(key)))
    }
}

extension CallerDictionary {
    /// What belongs to the pair and to no item, and what the new key itself says: which key it is, and which half.
    private static let ofPairs: Set<CallerText> = [
        .kSecPublicKeyAttrs, .kSecPrivateKeyAttrs, .kSecAttrKeyType, .kSecAttrKeySizeInBits, .kSecAttrKeyClass,
        .kSecValueRef, .kSecValueData, .kSecValuePersistentRef,
    ]

    fileprivate func ofHalf(_ half: PermanentKeys.Half) throws(KeychainError) -> CallerDictionary {
        var own = CallerDictionary(entries: [])
        if case .dictionary(let dictionary) = self[half.name] { own = try CallerDictionary(dictionary) }
        let named = Set(own.entries.compactMap(\.key.text))
        // A public key is for everybody: only what is said of itself keeps it inside.
        let ofPrivate: Set<CallerText> =
            half == .publicKey
            ? Set(KeyPermissions.keepingInside.map { CallerText($0.code) }).union([
                .kSecAttrTokenID, .kSecAttrAccessControl,
            ]) : []
        let common = entries.filter { entry in
            entry.key.text.map { !named.contains($0) && !ofPrivate.contains($0) } ?? true
        }
        return CallerDictionary(
            entries: (own.entries + common).filter { entry in !(entry.key.text.map(Self.ofPairs.contains) ?? false) })
    }

    fileprivate var isPermanent: Bool {
        guard let value = self[.kSecAttrIsPermanent] else { return false }
        return value.boolean == true || value.number == 1
    }
}

extension CallerDictionary.Key {
    fileprivate var text: CallerText? {
        if case .string(let text) = self { text } else { nil }
    }
}

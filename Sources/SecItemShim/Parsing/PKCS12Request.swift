// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// A caller's options for the import of a PKCS #12 file.
struct PKCS12Request {
    let passphrase: Passphrase
    /// The attributes for items to add to the keychain; nil if nothing should be added.
    private let attributes: CallerDictionary?

    /// - Throws: `errSecParam` for a passphrase that is neither a text nor data.
    init(_ options: NSDictionary) throws(KeychainError) {
        let dictionary = try CallerDictionary(options)
        passphrase = try dictionary[.kSecImportExportPassphrase].map(Passphrase.init) ?? .empty
        let isForKeychain =
            dictionary[.kSecUseDataProtectionKeychain]?.isTrue == true
            && dictionary[.kSecImportToMemoryOnly]?.isTrue != true
        attributes = isForKeychain ? dictionary.ofItems : nil
    }

    /// The items to add for an identity and the certificates of its chain. The key's label is its name in the file,
    /// unless the caller gives another.
    ///
    /// - Throws: As ``NewItem`` does, for options that an item cannot have.
    func items(for identity: SecIdentity, chain: [SecCertificate]) throws(KeychainError) -> [NewItem] {
        guard let attributes else { return [] }
        try ForbiddenAttributes.check(attributes)
        var items: [NewItem] = []
        for object in [identity.privateKey] as [AnyObject] + chain {
            let (own, other): (ItemClass, ItemClass) = object is SecKey ? (.key, .certificate) : (.certificate, .key)
            var dictionary = attributes.without(whatOnly: other, hasBeside: own)
            if let name = (object as? SecKey)?.name, dictionary[.kSecAttrLabel] == nil {
                dictionary = dictionary.adding(.string(.kSecAttrLabel), .string(CallerText(name)))
            }
            items.append(try NewItem(parsing: dictionary.adding(.string(.kSecValueRef), .object(object))))
        }
        return items
    }
}

extension CallerDictionary {
    /// Options about the file, and attributes that an object already has.
    private static let ofFiles: Set<CallerText> = [
        .kSecImportExportPassphrase, .kSecImportExportKeychain, .kSecImportExportAccess, .kSecImportToMemoryOnly,
        .kSecClass, .kSecValueRef, .kSecValueData, .kSecValuePersistentRef, .kSecReturnRef, .kSecReturnData,
        .kSecReturnAttributes, .kSecReturnPersistentRef,
    ]

    /// Removes the attributes that the other class has and this one does not: for example, only keys have a tag.
    fileprivate func without(whatOnly other: ItemClass, hasBeside own: ItemClass) -> CallerDictionary {
        CallerDictionary(
            entries: entries.filter { entry in
                guard case .string(let name) = entry.key, let attribute = ItemAttribute(code: name.string) else {
                    return true
                }
                return ItemSchema.schema(of: own)[attribute] != nil || ItemSchema.schema(of: other)[attribute] == nil
            })
    }

    fileprivate var ofItems: CallerDictionary {
        CallerDictionary(
            entries: entries.filter { entry in
                if case .string(let key) = entry.key { !Self.ofFiles.contains(key) } else { true }
            })
    }
}

extension CallerValue {
    fileprivate var isTrue: Bool { boolean == true || number == 1 }
}

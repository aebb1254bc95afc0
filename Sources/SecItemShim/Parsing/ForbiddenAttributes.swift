// SPDX-License-Identifier: Apache-2.0

import SecItemStore

/// The attributes that no client may name. Like Apple's keychain, the parser checks them first.
struct ForbiddenAttributes {
    private static let appClipItem = CallerText(ItemAttribute.appClipItem.code)
    private static let sharingGroup = CallerText(ItemAttribute.sharingGroup.code)

    /// - Throws: `errSecParam` for the mark of an app clip, and for a sharing group on a synchronized item or in an
    ///   update; `errSecMissingEntitlement` for any other use of a sharing group.
    static func check(_ dictionary: CallerDictionary, isUpdate: Bool = false) throws(KeychainError) {
        if dictionary[appClipItem] != nil { throw .param("an item cannot be marked as an app clip's") }
        guard dictionary[sharingGroup] != nil else { return }
        if isUpdate { throw .param("a sharing group cannot be changed") }
        if dictionary[.kSecAttrSynchronizable].flatMap(SynchronizableScope.init) == .synchronizedOnly {
            throw .param("a synchronized item cannot have a sharing group")
        }
        throw .missingEntitlement("sharing groups are not supported")
    }
}

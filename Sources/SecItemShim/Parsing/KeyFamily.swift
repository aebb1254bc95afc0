// SPDX-License-Identifier: Apache-2.0

import SecItemStore

/// The family of a key in a caller's dictionary.
///
/// Like Apple's keychain, this goes by the key's length and first letter, not by a list.
enum KeyFamily {
    case attribute(ItemAttribute)
    case itemClass
    case match
    case returned
    case use
    case value
    /// Accepted and ignored.
    case ignored

    /// - Throws: `errSecParam` for a key of no family, `errSecNoSuchAttr` for an attribute that no class has.
    init(_ key: CallerDictionary.Key) throws(KeychainError) {
        switch key {
        case .string(let name): try self.init(named: name)
        case .number: throw .noSuchAttr("a number is no attribute")
        case .other: throw .param("a key is not text")
        }
    }

    private init(named name: CallerText) throws(KeychainError) {
        if keysWithoutMeaning.contains(name) {
            self = .ignored
        } else if name.utf8.count <= 12, name.string.utf16.count == 4 {
            guard let attribute = ItemAttribute(code: name.string), attribute != .valueData else {
                throw .noSuchAttr("no class has this attribute")
            }
            self = .attribute(attribute)
        } else {
            self = try Self.family(ofLong: name)
        }
    }

    private static func family(ofLong name: CallerText) throws(KeychainError) -> KeyFamily {
        guard name.utf8.count > 1 else { throw .param("a key has fewer than two characters") }
        switch name.utf8.first.map({ Character(Unicode.Scalar($0)) }) {
        case "c" where name == .kSecClass: return .itemClass
        case "m": return .match
        case "r": return .returned
        case "u": return .use
        case "v": return .value
        case "f": return .ignored
        default: throw .param("a key is unknown")
        }
    }
}

/// Four-letter keys that are not attributes and have no effect, in a query and in an update.
///
/// They are `kSecUseDataProtectionKeychain`, because there is no other keychain here, and `kSecAttrAccess`, an
/// attribute of the Mac's file keychain, which the Mac also drops.
let keysWithoutMeaning: [CallerText] = [.kSecUseDataProtectionKeychain, .kSecAttrAccess]

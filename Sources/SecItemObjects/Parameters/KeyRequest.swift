// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// A caller's dictionary for a key to make or to read.
package struct KeyRequest {
    package enum Token {
        /// The chip of the machine.
        case chip
        /// A token that does not exist here.
        case other
    }

    package enum Side: Int {
        case publicKey = 1
        case privateKey = 2
    }

    /// The key for the wrapped form of Secure Enclave keys. Apple's headers do not declare it.
    package static let wrappedKeyName = "toid"

    package let type: KeyType
    /// Nil if the dictionary does not name it.
    package let side: Side?
    /// Nil if the dictionary does not name it.
    package let sizeInBits: Int?
    /// The token that should hold the key, if the dictionary names one.
    package let token: Token?
    private let dictionary: CallerDictionary

    /// - Throws: `errSecParam` if a value cannot be read or the type of key is not supported, `errSecUnimplemented` for
    ///   a symmetric key.
    package init(_ attributes: NSDictionary) throws(KeychainError) {
        let dictionary = try CallerDictionary(attributes)
        guard let type = dictionary[.kSecAttrKeyType]?.number else {
            throw .param("the type of the key is missing or unknown")
        }
        side = try Self.side(dictionary[.kSecAttrKeyClass])
        guard let known = KeyType(type) else { throw .param("Unsupported key type: \(type)") }
        self.type = known
        sizeInBits = try Self.size(dictionary[.kSecAttrKeySizeInBits])
        token = dictionary[.kSecAttrTokenID].map { $0.isChip ? .chip : .other }
        self.dictionary = dictionary
    }

    /// The attributes in the dictionary that restrict the key.
    ///
    /// - Throws: `errSecParam` for a value that is neither a truth value nor a number.
    package func permissions() throws(KeychainError) -> [ItemAttribute: AttributeValue] {
        try dictionary.permissions()
    }

    /// The wrapped form of a key of the chip; nil if the dictionary names no token.
    ///
    /// - Throws: `errSecUnimplemented` for another token, `errSecParam` if the wrapped form is missing.
    package func wrappedKey() throws(KeychainError) -> Data? {
        guard let token else { return nil }
        guard token == .chip else { throw .unimplemented("this token is not supported") }
        guard case .data(let wrapped) = dictionary[CallerText(Self.wrappedKeyName)] else {
            throw .param("the key of the chip is missing")
        }
        return wrapped as Data
    }

    private static func side(_ value: CallerValue?) throws(KeychainError) -> Side? {
        guard let value else { return nil }
        switch value.number {
        case 0: return .publicKey
        case 1: return .privateKey
        case 2: throw .unimplemented("Unsupported symmetric key type")
        default: throw .param("Unsupported key class")
        }
    }

    private static func size(_ value: CallerValue?) throws(KeychainError) -> Int? {
        guard let value else { return nil }
        guard let size = value.number.flatMap(Int.init(exactly:)) else { throw .param("the size is not a number") }
        return size
    }
}

extension CallerValue {
    /// Whether it names the Secure Enclave, which the machine's chip replaces.
    fileprivate var isChip: Bool {
        text == .kSecAttrTokenIDSecureEnclave
    }

    /// The number, given as a number or as its digits. The constants are texts.
    package var number: Int64? {
        switch self {
        case .integer(let number): number
        case .string(let text): Int64(text.string)
        default: nil
        }
    }
}

extension CallerDictionary {
    /// The attributes in the dictionary that restrict the key.
    ///
    /// - Throws: `errSecParam` for a value of the wrong type.
    package func permissions() throws(KeychainError) -> [ItemAttribute: AttributeValue] {
        var attributes: [ItemAttribute: AttributeValue] = [:]
        for name in KeyPermissions.attributeNames {
            if let value = self[CallerText(name.code)] { attributes[name] = try AttributeValue(value, as: .number) }
        }
        return attributes
    }
}

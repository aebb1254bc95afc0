// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// What a caller's dictionary says of a key to make or to read.
struct KeyRequest {
    enum Token {
        /// The chip of the machine.
        case chip
        /// Something that there is not.
        case other
    }

    enum Side {
        case publicKey
        case privateKey
    }

    /// The key under which Apple's keys of the Secure Enclave have their wrapped form, which the headers do not declare.
    static let wrappedKeyName = "toid"

    let type: KeyType
    /// Nil where the dictionary does not say.
    let side: Side?
    /// Nil where the dictionary does not say.
    let sizeInBits: Int?
    /// What is to keep the key, where the dictionary names something.
    let token: Token?
    private let dictionary: CallerDictionary

    /// - Throws: `errSecParam` if a value cannot be read or the type of key is not there, `errSecUnimplemented` for a
    ///   symmetric key.
    init(_ attributes: NSDictionary) throws(KeychainError) {
        let dictionary = try CallerDictionary(attributes)
        guard let type = dictionary[.kSecAttrKeyType]?.number else { throw .param("the type of the key is missing") }
        side = try Self.side(dictionary[.kSecAttrKeyClass])
        guard let known = KeyType(type) else { throw .param("Unsupported key type: \(type)") }
        self.type = known
        sizeInBits = try Self.size(dictionary[.kSecAttrKeySizeInBits])
        token = dictionary[.kSecAttrTokenID].map { $0.isChip ? .chip : .other }
        self.dictionary = dictionary
    }

    /// The attributes that forbid something, as far as the dictionary names them.
    ///
    /// - Throws: `errSecParam` for a value that is neither a truth value nor a number.
    func permissions() throws(KeychainError) -> [ItemAttribute: AttributeValue] {
        try dictionary.permissions()
    }

    /// What a key of the chip is wrapped as; nil where the dictionary names no token.
    ///
    /// - Throws: `errSecUnimplemented` for another token, `errSecParam` where nothing is wrapped.
    func wrappedKey() throws(KeychainError) -> Data? {
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
    /// Whether it names the Secure Enclave, whose place the chip of the machine takes.
    fileprivate var isChip: Bool {
        text == .kSecAttrTokenIDSecureEnclave
    }

    /// The number, whether it was given as one or as its digits: the constants are texts.
    var number: Int64? {
        switch self {
        case .integer(let number): number
        case .string(let text): Int64(text.string)
        default: nil
        }
    }
}

extension CallerDictionary {
    /// The attributes by which a key is forbidden something, as far as they are named.
    ///
    /// - Throws: `errSecParam` for a value of the wrong type.
    func permissions() throws(KeychainError) -> [ItemAttribute: AttributeValue] {
        var attributes: [ItemAttribute: AttributeValue] = [:]
        for name in KeyPermissions.attributeNames {
            if let value = self[CallerText(name.code)] { attributes[name] = try AttributeValue(value, as: .number) }
        }
        return attributes
    }
}

// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// What the holder of a key object may do with it, beyond what the kind of key can do at all.
///
/// A key that was made, read or found with `kSecAttrCan…: false`, `kSecAttrIsExtractable: false` or `kSecAttrIsSensitive:
/// true` keeps to it: as an object, and in every item that is added from the object. Apple's data protection keychain
/// stores these attributes and does not act on them.
package struct KeyPermissions: Sendable, Equatable {
    /// The attributes that forbid something.
    private var forbidding: Set<ItemAttribute>

    /// Everything that the kind of key can do.
    package static let all = KeyPermissions([:], isPrivate: true)

    /// What the attributes of an item, or of a request for a new key, permit for that half of a pair.
    ///
    /// What is absent forbids nothing, and neither does what the other half is for. A value that is no number forbids: it
    /// cannot be read as a permission.
    init(_ attributes: [ItemAttribute: AttributeValue], isPrivate: Bool) {
        forbidding = Set(
            Self.meanings.filter { attribute, meaning in
                guard meaning.isPrivate ?? isPrivate == isPrivate, let value = attributes[attribute] else {
                    return false
                }
                return value.truth != meaning.permitting
            }.keys)
    }

    /// What an attribute says.
    private struct Meaning {
        /// The truth value that forbids nothing.
        let permitting: Bool
        /// The half of a pair that it is about; nil for both.
        let isPrivate: Bool?
    }

    private static let meanings: [ItemAttribute: Meaning] = [
        .canSign: Meaning(permitting: true, isPrivate: true),
        .canDecrypt: Meaning(permitting: true, isPrivate: true),
        .canDerive: Meaning(permitting: true, isPrivate: true),
        .canUnwrap: Meaning(permitting: true, isPrivate: true),
        .canVerify: Meaning(permitting: true, isPrivate: false),
        .canEncrypt: Meaning(permitting: true, isPrivate: false),
        .canWrap: Meaning(permitting: true, isPrivate: false),
        .isExtractable: Meaning(permitting: true, isPrivate: nil),
        .isSensitive: Meaning(permitting: false, isPrivate: nil),
    ]

    /// The attributes that a dictionary may name to forbid something.
    static var attributeNames: some Collection<ItemAttribute> { meanings.keys }

    /// The attributes that keep a key's bytes inside.
    static let keepingInside: Set<ItemAttribute> = [.isExtractable, .isSensitive]

    /// The same for a key whose bytes do not leave.
    var keptInside: KeyPermissions {
        var result = self
        result.forbidding.formUnion(Self.keepingInside)
        return result
    }

    /// Whether the key's bytes may leave the library: as data, as a representation, or in a file.
    package var allowsLeaving: Bool { forbidding.isDisjoint(with: Self.keepingInside) }

    /// Whether this forbids at least what the other does.
    func isAsStrict(as other: KeyPermissions) -> Bool { forbidding.isSuperset(of: other.forbidding) }

    /// Whether the key may be used for that.
    ///
    /// A public key that "decrypts" undoes a raw signature, which is a way to verify it.
    func allows(_ operation: SecKeyOperationType, isPrivate: Bool) -> Bool {
        switch operation {
        case .sign: !forbidding.contains(.canSign)
        case .verify: !forbidding.contains(.canVerify)
        case .encrypt: !forbidding.contains(.canEncrypt)
        case .decrypt: !forbidding.contains(isPrivate ? .canDecrypt : .canVerify)
        case .keyExchange: !forbidding.contains(.canDerive)
        }
    }

    /// The attributes that forbid, with the values that do.
    var attributes: [ItemAttribute: AttributeValue] {
        Dictionary(
            uniqueKeysWithValues: forbidding.map { attribute in
                (attribute, .integer(Self.meanings[attribute]?.permitting == false ? 1 : 0))
            })
    }

    /// Whether that value of an attribute permits what this forbids.
    func isContradicted(by value: AttributeValue, of attribute: ItemAttribute) -> Bool {
        forbidding.contains(attribute) && value.truth == Self.meanings[attribute]?.permitting
    }

    /// Whether setting those attributes could let a key leave that may not.
    static func couldAllowLeaving(_ attributes: [ItemAttribute: AttributeValue]) -> Bool {
        keepingInside.contains { name in
            guard let truth = attributes[name]?.truth, let meaning = meanings[name] else { return false }
            return truth == meaning.permitting
        }
    }
}

extension AttributeValue {
    /// The truth value that a number stands for; nil for anything else.
    fileprivate var truth: Bool? {
        switch self {
        case .integer(let number): number != 0
        case .real(let number): number != 0
        default: nil
        }
    }
}

extension SecKey {
    /// Whether the key's bytes may be given out. Every way out asks: the external representation, `kSecReturnData`, export.
    package var mayLeave: Bool { permissions.allowsLeaving }

    /// The key's bytes, as Apple's functions give them: PKCS #1 for RSA, ANSI X9.63 for curves.
    ///
    /// - Throws: `errSecDataNotAvailable` for a key that may not leave, and what ``opened()`` throws.
    package func leavingRepresentation() throws(KeychainError) -> Secret {
        guard mayLeave else { throw .mayNotLeave }
        return try opened().material.externalRepresentation
    }
}

extension KeychainError {
    /// The key is not extractable, or sensitive.
    package static var mayNotLeave: KeychainError {
        KeychainError(errSecDataNotAvailable, "the key is not extractable")
    }
}

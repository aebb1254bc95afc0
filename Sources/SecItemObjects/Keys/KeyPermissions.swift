// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// The permitted uses of a key object, among those that its type supports.
///
/// A key that was made, read or found with `kSecAttrCan…: false`, `kSecAttrIsExtractable: false` or
/// `kSecAttrIsSensitive: true` obeys these attributes, both as an object and in every item that is added from it.
/// Apple's data protection keychain stores these attributes and ignores them.
package struct KeyPermissions: Sendable, Equatable {
    /// The attributes that forbid something.
    private var forbidding: Set<ItemAttribute>

    /// Permits everything that the type of key supports.
    package static let all = KeyPermissions([:], isPrivate: true)

    /// The permissions from the attributes of an item, or of a request for a new key, for one half of a pair.
    ///
    /// A missing attribute forbids nothing, and neither does an attribute that only concerns the other half. A value
    /// that is not a number forbids the use, because it cannot be read as a permission.
    package init(_ attributes: [ItemAttribute: AttributeValue], isPrivate: Bool) {
        forbidding = Set(
            Self.meanings.filter { attribute, meaning in
                guard meaning.isPrivate ?? isPrivate == isPrivate, let value = attributes[attribute] else {
                    return false
                }
                return value.truth != meaning.permitting
            }.keys)
    }

    /// The meaning of an attribute.
    private struct Meaning {
        /// The truth value that permits the use.
        let permitting: Bool
        /// The half of a pair that the attribute concerns; nil for both.
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

    /// The attributes that can restrict a key.
    package static var attributeNames: some Collection<ItemAttribute> { meanings.keys }

    /// The attributes that prevent the export of a key's bytes.
    package static let keepingInside: Set<ItemAttribute> = [.isExtractable, .isSensitive]

    /// The same permissions, for a key that may not be exported.
    package var keptInside: KeyPermissions {
        var result = self
        result.forbidding.formUnion(Self.keepingInside)
        return result
    }

    /// Whether the key's bytes may be exported: as data, as a representation, or in a file.
    package var allowsLeaving: Bool { forbidding.isDisjoint(with: Self.keepingInside) }

    /// Whether this forbids at least everything that the other forbids.
    package func isAsStrict(as other: KeyPermissions) -> Bool { forbidding.isSuperset(of: other.forbidding) }

    /// Whether the key may be used for an operation.
    ///
    /// "Decryption" with a public key reverses a raw signature, which is a way to verify it.
    package func allows(_ operation: SecKeyOperationType, isPrivate: Bool) -> Bool {
        switch operation {
        case .sign: !forbidding.contains(.canSign)
        case .verify: !forbidding.contains(.canVerify)
        case .encrypt: !forbidding.contains(.canEncrypt)
        case .decrypt: !forbidding.contains(isPrivate ? .canDecrypt : .canVerify)
        case .keyExchange: !forbidding.contains(.canDerive)
        }
    }

    /// The attributes that forbid something, with their values.
    package var attributes: [ItemAttribute: AttributeValue] {
        Dictionary(
            uniqueKeysWithValues: forbidding.map { attribute in
                (attribute, .integer(Self.meanings[attribute]?.permitting == false ? 1 : 0))
            })
    }

    /// Whether that value of an attribute permits something that this forbids.
    package func isContradicted(by value: AttributeValue, of attribute: ItemAttribute) -> Bool {
        forbidding.contains(attribute) && value.truth == Self.meanings[attribute]?.permitting
    }

    /// Whether setting these attributes could make a key exportable.
    package static func couldAllowLeaving(_ attributes: [ItemAttribute: AttributeValue]) -> Bool {
        keepingInside.contains { name in
            guard let truth = attributes[name]?.truth, let meaning = meanings[name] else { return false }
            return truth == meaning.permitting
        }
    }
}

extension AttributeValue {
    /// The truth value of a number; nil for anything else.
    fileprivate var truth: Bool? {
        switch self {
        case .integer(let number): number != 0
        case .real(let number): number != 0
        default: nil
        }
    }
}

extension SecKey {
    /// Whether the key's bytes may be exported. Every export checks this: the external representation,
    /// `kSecReturnData`, and files.
    package var mayLeave: Bool { permissions.allowsLeaving }

    /// The key's bytes in the format of Apple's functions: PKCS #1 for RSA, ANSI X9.63 for curves.
    ///
    /// - Throws: `errSecDataNotAvailable` if the key may not be exported.
    package func leavingRepresentation() throws(KeychainError) -> Secret {
        guard mayLeave else { throw .mayNotLeave }
        return material.externalRepresentation
    }
}

extension KeychainError {
    /// The key is not extractable, or sensitive.
    package static var mayNotLeave: KeychainError {
        KeychainError(errSecDataNotAvailable, "the key is not extractable")
    }
}

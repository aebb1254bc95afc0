// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// The item attributes of a key or certificate, which replace the object between parsing and results.
struct LiveObject {
    let itemClass: ItemClass
    /// The default attributes of an item of the object.
    let attributes: [ItemAttribute: AttributeValue]
    /// The attributes that identify the object's items.
    let identity: [ItemAttribute: AttributeValue]
    /// The permitted uses of the object. A caller cannot add to them.
    let permissions: KeyPermissions
    /// Whether it is a key in the machine's chip.
    let isOfChip: Bool
    let data: Secret

    /// - Throws: `errSecParam` if the object is not a key or certificate.
    init(_ object: AnyObject) throws(KeychainError) {
        switch object {
        case let key as SecKey: self.init(key)
        case let certificate as SecCertificate: self.init(certificate)
        default: throw .param("kSecValueRef is not an item")
        }
    }
}

extension LiveObject {
    init(_ object: SecKey) {
        let key = object.material
        let isPrivate: Int64 = key.isPrivate ? 1 : 0
        let isPublic = 1 - isPrivate
        itemClass = .key
        permissions = object.permissions
        data = key.storedRepresentation
        isOfChip = key.token != nil
        identity = [.keyClass: .integer(isPrivate), .applicationLabel: .data(key.publicKeyHash)]
        let uses: [ItemAttribute: AttributeValue] = [
            .canEncrypt: .integer(isPublic), .canDecrypt: .integer(isPrivate), .canDerive: .integer(isPrivate),
            .canSign: .integer(isPrivate), .canVerify: .integer(isPublic), .canSignRecover: .integer(0),
            .canVerifyRecover: .integer(0), .canWrap: .integer(isPublic), .canUnwrap: .integer(isPrivate),
        ]
        let kind: [ItemAttribute: AttributeValue] = [
            .keySizeInBits: .integer(Int64(key.sizeInBits)), .effectiveKeySize: .integer(Int64(key.sizeInBits)),
            .isPermanent: .integer(1), .isPrivate: .integer(isPrivate), .isModifiable: .integer(1),
            .isSensitive: .integer(0), .wasAlwaysSensitive: .integer(0), .isExtractable: .integer(1),
            .wasNeverExtractable: .integer(0),
        ]
        var attributes = identity.merging(uses) { $1 }.merging(kind) { $1 }.merging(permissions.attributes) { $1 }
        attributes[.keyType] = key.type.number.map { .integer($0) }
        attributes[.tokenID] = key.token.map { .string($0) }
        self.attributes = attributes
    }

    init(_ certificate: SecCertificate) {
        let parts = certificate.parts
        itemClass = .certificate
        permissions = .all
        isOfChip = false
        data = Secret(certificate.bytes)
        identity = [
            .issuer: .data(parts.issuer.normalizedContent ?? Data()), .serialNumber: .data(parts.serialNumber),
        ]
        var attributes = identity
        attributes[.subject] = parts.subject.normalizedContent.map { .data($0) }
        attributes[.subjectKeyID] = parts.subjectKeyIdentifier.map { .data($0) }
        attributes[.label] = parts.summary.map { .string($0) }
        attributes[.publicKeyHash] = .data(parts.publicKeyHash)
        attributes[.certificateType] = .integer(Int64(parts.version))
        // Always 3, which means DER.
        attributes[.certificateEncoding] = .integer(3)
        self.attributes = attributes
    }
}

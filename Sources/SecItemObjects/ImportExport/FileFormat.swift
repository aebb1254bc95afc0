// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftASN1

/// The content of a file, or of a block of one, recognised by its structure.
enum FileFormat: Equatable {
    case certificate
    case key(KeyFormat)
    case encryptedKey
    case certificateList
    case pkcs12

    /// The label of the format's blocks in PEM. The label of a private key in the traditional form depends on the type
    /// of key.
    var label: String {
        switch self {
        case .certificate: "CERTIFICATE"
        case .key(.traditional): "RSA PRIVATE KEY"
        case .key(.privateKeyInfo): "PRIVATE KEY"
        case .key(.publicKeyInfo): "PUBLIC KEY"
        case .key(.rsaPublicKey): "RSA PUBLIC KEY"
        case .encryptedKey: "ENCRYPTED PRIVATE KEY"
        case .certificateList: "PKCS7"
        case .pkcs12: "PKCS12"
        }
    }

    /// Apple's name for the format.
    var external: SecExternalFormat {
        switch self {
        case .certificate: .formatX509Cert
        case .key(.traditional), .key(.publicKeyInfo): .formatOpenSSL
        case .key(.privateKeyInfo), .key(.rsaPublicKey): .formatBSAFE
        case .encryptedKey: .formatWrappedPKCS8
        case .certificateList: .formatPKCS7
        case .pkcs12: .formatPKCS12
        }
    }

    var itemType: SecExternalItemType {
        switch self {
        case .certificate: .itemTypeCertificate
        case .key(.traditional), .key(.privateKeyInfo), .encryptedKey: .itemTypePrivateKey
        case .key(.publicKeyInfo), .key(.rsaPublicKey): .itemTypePublicKey
        case .certificateList, .pkcs12: .itemTypeAggregate
        }
    }

    /// Recognises a value in DER or BER by its parts.
    ///
    /// - Throws: `errSecUnknownFormat` if it is none of the formats.
    init(_ value: BERValue) throws(KeychainError) {
        let unknown = KeychainError(errSecUnknownFormat, "the format of the file is unknown")
        guard value.tag == BERTag.sequence else { throw unknown }
        var parts = value.parts
        guard !parts.isAtEnd else { throw unknown }
        let first = try parts.next()
        guard !parts.isAtEnd else { throw unknown }
        let second = try parts.next()
        switch (first.tag, second.tag) {
        case (BERTag.integer, BERTag.octetString): self = .key(.traditional)
        case (BERTag.integer, BERTag.integer): self = .key(parts.isAtEnd ? .rsaPublicKey : .traditional)
        case (BERTag.integer, BERTag.sequence):
            var inner = second.parts
            let kind = try? inner.next().identifier()
            self = kind == .plainData || kind == .signedData ? .pkcs12 : .key(.privateKeyInfo)
        case (BERTag.sequence, BERTag.octetString), (BERTag.sequence, BERTag.octetString | 0x20): self = .encryptedKey
        case (BERTag.sequence, BERTag.bitString): self = .key(.publicKeyInfo)
        case (BERTag.sequence, BERTag.sequence): self = .certificate
        case (BERTag.identifier, BERTag.tagged0):
            guard try first.identifier() == .signedData else { throw unknown }
            self = .certificateList
        default: throw unknown
        }
    }
}

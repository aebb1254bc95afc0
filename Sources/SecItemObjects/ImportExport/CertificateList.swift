// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftASN1

/// A PKCS #7 value that carries certificates: RFC 2315, section 9. Signatures in it are not checked, and written values
/// have none.
enum CertificateList {
    private static let greatestCount = 4096

    /// - Throws: `errSecDecode` for a value that is not signed data, `errSecDataTooLarge` for more than 4096
    ///   certificates.
    static func certificates(in value: BERValue) throws(KeychainError) -> [SecCertificate] {
        var parts = value.parts
        guard try parts.next().identifier() == .signedData else { throw .notDecodable("the value is not signed data") }
        var tagged = try parts.next(BERTag.tagged0).parts
        var signed = try tagged.next(BERTag.sequence).parts
        _ = try signed.next(BERTag.integer)
        _ = try signed.next(BERTag.set)
        _ = try signed.next(BERTag.sequence)
        guard var list = try signed.nextIfAny(BERTag.tagged0)?.parts else { return [] }
        var certificates: [SecCertificate] = []
        while !list.isAtEnd {
            let certificate = try list.next()
            // Other tags are attribute certificates and similar objects.
            guard certificate.tag == BERTag.sequence else { continue }
            guard certificates.count < greatestCount else {
                throw KeychainError(errSecDataTooLarge, "the file holds more than \(greatestCount) certificates")
            }
            certificates.append(try SecCertificate(ofFile: certificate.encoding))
        }
        return certificates
    }

    static func bytes(of certificates: [SecCertificate]) throws(KeychainError) -> [UInt8] {
        try derBytes { serializer in
            try serializer.sequence { serializer in
                try serializer.serialize(ASN1ObjectIdentifier.signedData)
                try serializer.tagged(0) { serializer in
                    try serializer.sequence { serializer in
                        try serializer.serialize(1)
                        try serializer.set { _ in }
                        try serializer.sequence { try $0.serialize(ASN1ObjectIdentifier.plainData) }
                        try serializer.tagged(0) { serializer in
                            for certificate in certificates { serializer.serializeRawBytes(certificate.bytes) }
                        }
                        try serializer.set { _ in }
                    }
                }
            }
        }
    }
}

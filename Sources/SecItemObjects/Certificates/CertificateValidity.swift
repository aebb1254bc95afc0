// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftASN1

/// The validity period of a certificate: RFC 5280, section 4.1.2.5.
package struct CertificateValidity: Sendable {
    package let start: Date
    package let end: Date

    /// - Throws: An error if the bytes are not a certificate, or its dates cannot be read.
    package init(ofCertificate bytes: Data) throws {
        self = try DER.sequence(DER.parse([UInt8](bytes)), identifier: .sequence) { nodes in
            let signed = try nodes.required()
            _ = nodes.all()
            return try DER.sequence(signed, identifier: .sequence) { parts in
                let parts = parts.all().filter { $0.identifier != Self.version }
                // The serial number, the algorithm and the issuer precede it.
                guard parts.count > 3 else { throw CertificateParts.Failure.incomplete }
                return try CertificateValidity(parts[3])
            }
        }
    }

    private init(_ node: ASN1Node) throws {
        (start, end) = try DER.sequence(node, identifier: .sequence) { nodes in
            (try Self.date(nodes.required()), try Self.date(nodes.required()))
        }
    }

    private static let version = ASN1Identifier(tagWithNumber: 0, tagClass: .contextSpecific)

    private static func date(_ node: ASN1Node) throws -> Date {
        var reader = BERReader(node.encodedBytes, isDistinguished: true)
        let value = try reader.next()
        guard let date = CertificateDate.date(tag: value.tag, value.content) else {
            throw CertificateParts.Failure.unexpected
        }
        return date
    }

    /// Whether the date is in the period. If both dates of a certificate are equal, it is never valid, as on Apple's
    /// platforms.
    package func contains(_ date: Date) -> Bool {
        start != end && start <= date && date <= end
    }
}

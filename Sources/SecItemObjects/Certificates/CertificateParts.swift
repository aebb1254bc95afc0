// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import SwiftASN1

/// The parts of a certificate that this library uses. Positions and tags are those of RFC 5280, section 4.1.
package struct CertificateParts: Sendable {
    /// 1, 2 or 3.
    package let version: Int
    package let serialNumber: Data
    package let issuer: DistinguishedName
    package let subject: DistinguishedName
    /// The public key with its algorithm, in DER.
    let publicKeyInfo: Data
    /// The hash of the public key's bytes, which links a certificate to its private key.
    package let publicKeyHash: Data
    /// The certificate's identifier of its key; nil if it has none.
    package let subjectKeyIdentifier: Data?
    let alternativeNames: AlternativeNames

    /// - Throws: An error if the bytes are not a certificate, or exceed the limits of one.
    init(_ bytes: Data) throws {
        guard bytes.count <= TrustLimits.greatestBytes else { throw Failure.tooLarge }
        self = try DER.sequence(DER.parse([UInt8](bytes)), identifier: .sequence) { nodes in
            guard let signed = nodes.next() else { throw Failure.incomplete }
            let parts = try CertificateParts(signed: signed)
            _ = try DER.sequence(nodes.required(), identifier: .sequence) { $0.all() }
            _ = try ASN1BitString(derEncoded: &nodes)
            return parts
        }
    }

    private init(signed: ASN1Node) throws {
        self = try DER.sequence(signed, identifier: .sequence) { nodes in
            let version = try DER.optionalExplicitlyTagged(&nodes, tagNumber: 0, tagClass: .contextSpecific) {
                try Int(derEncoded: $0)
            }
            let serialNumber = try nodes.required().bytes(tagged: .integer)
            _ = try DER.sequence(nodes.required(), identifier: .sequence) { $0.all() }
            let issuer = try DistinguishedName(nodes.required())
            _ = try DER.sequence(nodes.required(), identifier: .sequence) { $0.all() }
            let subject = try DistinguishedName(nodes.required())
            let key = try nodes.required()
            let rest = nodes.all()
            return CertificateParts(
                // The number in the certificate counts from 0, and 0 is omitted.
                version: min(max(version ?? 0, 0), 2) + 1, serialNumber: serialNumber, issuer: issuer,
                subject: subject, publicKeyInfo: Data(key.encodedBytes), publicKeyHash: try Self.hash(ofKey: key),
                subjectKeyIdentifier: SubjectKeyIdentifier.read(extensionsIn: rest),
                alternativeNames: try AlternativeNames(extensionsIn: rest)
            )
        }
    }

    private static func hash(ofKey node: ASN1Node) throws -> Data {
        try DER.sequence(node, identifier: .sequence) { nodes in
            _ = try nodes.required()
            return Data(Insecure.SHA1.hash(data: try ASN1BitString(derEncoded: &nodes).bytes))
        }
    }

    private init(
        version: Int, serialNumber: Data, issuer: DistinguishedName, subject: DistinguishedName, publicKeyInfo: Data,
        publicKeyHash: Data, subjectKeyIdentifier: Data?, alternativeNames: AlternativeNames
    ) {
        self.version = version
        self.serialNumber = serialNumber
        self.issuer = issuer
        self.subject = subject
        self.publicKeyInfo = publicKeyInfo
        self.publicKeyHash = publicKeyHash
        self.subjectKeyIdentifier = subjectKeyIdentifier
        self.alternativeNames = alternativeNames
    }

    enum Failure: Error {
        case incomplete
        case unexpected
        case tooLarge
    }
}

extension ASN1NodeCollection.Iterator {
    mutating func required() throws -> ASN1Node {
        guard let node = next() else { throw CertificateParts.Failure.incomplete }
        return node
    }

    mutating func all() -> [ASN1Node] {
        var nodes = [ASN1Node]()
        while let node = next() { nodes.append(node) }
        return nodes
    }
}

extension ASN1Node {
    /// The content of a primitive value.
    func bytes(tagged identifier: ASN1Identifier) throws -> Data {
        guard self.identifier == identifier, case .primitive(let bytes) = content else {
            throw CertificateParts.Failure.unexpected
        }
        return Data(bytes)
    }
}

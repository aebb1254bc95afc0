// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftASN1

/// The name of a subject or issuer: a list of attributes with texts.
package struct DistinguishedName: Sendable {
    struct Attribute: Sendable {
        /// The identifier's bytes.
        let kind: [UInt8]
        let tag: UInt8
        let bytes: ArraySlice<UInt8>

        /// The text. A value that is not text has one too, which describes the value.
        var text: String { DERText.text(tag: tag, bytes) }
    }

    /// Nil if the name cannot be read.
    private let sets: [[Attribute]]?

    /// Parses a name in DER. Nil if the bytes are not one.
    package init?(parsing bytes: Data) {
        guard let name = try? DistinguishedName(DER.parse([UInt8](bytes))), name.sets != nil else { return nil }
        self = name
    }

    /// - Throws: An error if the node is not a sequence.
    init(_ node: ASN1Node) throws {
        let parts = try DER.sequence(node, identifier: .sequence) { $0.all() }
        sets = try? parts.map { part in
            let attributes = try DER.set(part, identifier: .set) { try $0.all().map(Attribute.init) }
            guard !attributes.isEmpty else { throw CertificateParts.Failure.incomplete }
            return attributes
        }
    }

    var isReadable: Bool { sets != nil }

    /// The attributes in the order of the name.
    var attributes: [Attribute] { sets.map { $0.flatMap { $0 } } ?? [] }

    /// The texts of one kind, in the order of the name.
    func all(_ kind: NameKind) -> [String] {
        attributes.filter { $0.kind == kind.bytes }.map(\.text)
    }

    package var commonName: String? { all(.commonName).last }

    /// The name in DER, in a normalised form: names with the same meaning have equal bytes. In a PrintableString,
    /// letters become capitals and superfluous spaces are removed. Other types of text do not change, as on Apple's
    /// platforms.
    ///
    /// Nil if the name cannot be read.
    package var normalized: Data? {
        normalizedContent.flatMap { content in
            try? Data(derBytes { serializer in try serializer.sequence { $0.serializeRawBytes(content) } })
        }
    }

    /// The same without the tag and length of the sequence: the form of names in Apple's certificate items.
    package var normalizedContent: Data? {
        guard let sets else { return nil }
        let bytes = try? derBytes { serializer in
            for set in sets {
                try serializer.set { serializer in
                    for attribute in set { try attribute.serializeNormalized(into: &serializer) }
                }
            }
        }
        return bytes.map { Data($0) }
    }
}

/// The type of a part of a name.
enum NameKind {
    case commonName
    case organization
    case organizationalUnit
    case description
    case emailAddress

    /// The content of the object identifier.
    var bytes: [UInt8] {
        switch self {
        case .commonName: [0x55, 4, 3]
        case .organization: [0x55, 4, 10]
        case .organizationalUnit: [0x55, 4, 11]
        case .description: [0x55, 4, 13]
        case .emailAddress: [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 9, 1]
        }
    }
}

extension DistinguishedName.Attribute {
    private static let printableString: UInt8 = 0x13

    fileprivate init(_ node: ASN1Node) throws {
        guard node.identifier == .sequence else { throw CertificateParts.Failure.unexpected }
        var reader = BERReader(node.encodedBytes, isDistinguished: true)
        var parts = try reader.next(BERTag.sequence).parts
        let kind = try parts.next(BERTag.identifier).content
        let value = try parts.next()
        guard parts.isAtEnd, !kind.isEmpty else { throw CertificateParts.Failure.unexpected }
        self.init(kind: Array(kind), tag: value.tag, bytes: value.content)
    }

    fileprivate func serializeNormalized(into serializer: inout DER.Serializer) throws {
        let content = tag == Self.printableString ? Self.normalized(bytes) : Array(bytes)
        try serializer.sequence { serializer in
            serializer.appendPrimitiveNode(identifier: .objectIdentifier) { $0.append(contentsOf: kind) }
            serializer.serializeRawBytes(Self.value(tag, content))
        }
    }

    /// In capitals, without spaces at the ends, and with single spaces inside.
    private static func normalized(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        let words = bytes.split { $0 == 0x20 || $0 == 0x09 }
        return Array(words.joined(separator: [0x20])).map { (0x61...0x7a).contains($0) ? $0 - 0x20 : $0 }
    }

    private static func value(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        guard content.count >= 0x80 else { return [tag, UInt8(content.count)] + content }
        let size = withUnsafeBytes(of: content.count.bigEndian) { $0.drop { $0 == 0 } }
        return [tag, 0x80 | UInt8(size.count)] + size + content
    }
}

extension ASN1ObjectIdentifier {
    static let subjectAlternativeName: ASN1ObjectIdentifier = [2, 5, 29, 17]
}

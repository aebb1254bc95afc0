import Foundation
import SwiftASN1

/// The name of a subject or issuer: a list of attributes with texts.
struct DistinguishedName: Sendable {
    struct Attribute: Sendable {
        let kind: ASN1ObjectIdentifier
        let tag: ASN1Identifier
        let bytes: Data
        /// Nil for a value that is no text.
        let text: String?
    }

    private let sets: [[Attribute]]

    /// The name that the bytes are in DER, or nil.
    init?(parsing bytes: Data) {
        guard let name = try? DistinguishedName(DER.parse([UInt8](bytes))) else { return nil }
        self = name
    }

    /// - Throws: When the node is no name.
    init(_ node: ASN1Node) throws {
        sets = try DER.sequence(node, identifier: .sequence) { sets in
            try sets.all().map { set in
                try DER.set(set, identifier: .set) { try $0.all().map(Attribute.init) }
            }
        }
    }

    /// The texts of one kind, in the order of the name.
    func all(_ kind: ASN1ObjectIdentifier) -> [String] {
        sets.joined().filter { $0.kind == kind }.compactMap(\.text)
    }

    func last(_ kind: ASN1ObjectIdentifier) -> String? { all(kind).last }

    var commonName: String? { last(.commonName) }

    /// The name in DER, so that names which only differ in case or spaces are the same bytes.
    var normalized: Data? {
        var serializer = DER.Serializer()
        do {
            try serializer.appendConstructedNode(identifier: .sequence) { serializer in
                for set in sets {
                    try serializer.appendConstructedNode(identifier: .set) { serializer in
                        for attribute in set { try attribute.serializeNormalized(into: &serializer) }
                    }
                }
            }
        } catch {
            return nil
        }
        return Data(serializer.serializedBytes)
    }
}

extension DistinguishedName.Attribute {
    fileprivate init(_ node: ASN1Node) throws {
        self = try DER.sequence(node, identifier: .sequence) { nodes in
            let kind = try ASN1ObjectIdentifier(derEncoded: &nodes)
            let value = try nodes.required()
            let bytes = try value.bytes(tagged: value.identifier)
            return DistinguishedName.Attribute(
                kind: kind, tag: value.identifier, bytes: bytes, text: Self.text(value.identifier, bytes)
            )
        }
    }

    private static func text(_ tag: ASN1Identifier, _ bytes: Data) -> String? {
        switch tag {
        case .utf8String, .printableString, .ia5String: String(data: bytes, encoding: .utf8)
        case .teletexString: String(data: bytes, encoding: .isoLatin1)
        case .bmpString: String(data: bytes, encoding: .utf16BigEndian)
        default: nil
        }
    }

    fileprivate func serializeNormalized(into serializer: inout DER.Serializer) throws {
        let isASCII = tag == .printableString || tag == .ia5String || tag == .utf8String
        let words = text.map { $0.uppercased().split(separator: " ").joined(separator: " ") }
        let bytes = isASCII ? words.map { Data($0.utf8) } ?? self.bytes : self.bytes
        try serializer.appendConstructedNode(identifier: .sequence) { serializer in
            try serializer.serialize(kind)
            serializer.appendPrimitiveNode(identifier: tag) { $0.append(contentsOf: bytes) }
        }
    }
}

extension ASN1ObjectIdentifier {
    static let commonName: ASN1ObjectIdentifier = [2, 5, 4, 3]
    static let organization: ASN1ObjectIdentifier = [2, 5, 4, 10]
    static let organizationalUnit: ASN1ObjectIdentifier = [2, 5, 4, 11]
    static let emailAddress: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 9, 1]
    static let subjectAlternativeName: ASN1ObjectIdentifier = [2, 5, 29, 17]
}

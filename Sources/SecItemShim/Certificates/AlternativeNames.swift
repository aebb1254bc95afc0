import Foundation
import SwiftASN1

/// The other names of a certificate's subject: RFC 5280, section 4.2.1.6.
struct AlternativeNames: Sendable {
    private(set) var emailAddresses = [String]()
    private(set) var hosts = [String]()

    /// Reads the names out of what follows the key in a certificate; none where there is no such extension.
    init(extensionsIn nodes: [ASN1Node]) throws {
        let isExtensions: (ASN1Node) -> Bool = { $0.identifier == .extensions }
        guard let tagged = nodes.first(where: isExtensions), case .constructed(let content) = tagged.content else {
            return
        }
        var inner = content.makeIterator()
        let extensions = try DER.sequence(inner.required(), identifier: .sequence) { $0.all() }
        for node in extensions { try addNames(inExtension: node) }
    }

    private mutating func addNames(inExtension node: ASN1Node) throws {
        try DER.sequence(node, identifier: .sequence) { nodes in
            let kind = try ASN1ObjectIdentifier(derEncoded: &nodes)
            // A flag may stand before the value.
            guard let value = nodes.all().last, kind == .subjectAlternativeName else { return }
            try addNames(in: value.bytes(tagged: .octetString))
        }
    }

    private mutating func addNames(in bytes: Data) throws {
        for name in try DER.sequence(DER.parse([UInt8](bytes)), identifier: .sequence, { $0.all() }) {
            guard case .primitive(let bytes) = name.content else { continue }
            let text = String(decoding: bytes, as: UTF8.self)
            switch name.identifier {
            case .emailName: emailAddresses.append(text)
            case .hostName: hosts.append(text)
            default: break
            }
        }
    }
}

extension ASN1Identifier {
    fileprivate static let extensions = ASN1Identifier(tagWithNumber: 3, tagClass: .contextSpecific)
    fileprivate static let emailName = ASN1Identifier(tagWithNumber: 1, tagClass: .contextSpecific)
    fileprivate static let hostName = ASN1Identifier(tagWithNumber: 2, tagClass: .contextSpecific)
}

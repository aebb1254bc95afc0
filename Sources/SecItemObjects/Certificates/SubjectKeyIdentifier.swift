// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftASN1

/// The certificate's identifier of its own key: RFC 5280, section 4.2.1.2.
enum SubjectKeyIdentifier {
    /// Reads it from the extensions of a certificate; nil if it is missing or damaged.
    static func read(extensionsIn nodes: [ASN1Node]) -> Data? {
        guard let tagged = nodes.first(where: { $0.identifier == extensions }),
            case .constructed(let content) = tagged.content
        else { return nil }
        var inner = content.makeIterator()
        let found = try? DER.sequence(inner.required(), identifier: .sequence) { nodes in
            while let node = nodes.next() {
                if let value = try value(of: node) {
                    _ = nodes.all()
                    return value as Data?
                }
            }
            return nil
        }
        return found ?? nil
    }

    private static func value(of node: ASN1Node) throws -> Data? {
        try DER.sequence(node, identifier: .sequence) { nodes in
            let kind = try ASN1ObjectIdentifier(derEncoded: &nodes)
            // A flag may precede the value.
            guard let last = nodes.all().last, kind == [2, 5, 29, 14] else { return nil }
            return try DER.parse([UInt8](last.bytes(tagged: .octetString))).bytes(tagged: .octetString)
        }
    }

    private static let extensions = ASN1Identifier(tagWithNumber: 3, tagClass: .contextSpecific)
}

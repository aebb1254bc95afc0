// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftASN1

/// The other names of a certificate's subject: RFC 5280, section 4.2.1.6.
struct AlternativeNames: Sendable {
    /// The number that Apple reads. Further names are ignored.
    private static let greatestCount = 8192

    private(set) var emailAddresses = [String]()
    /// Names in the form of host names.
    private(set) var hosts = [String]()
    /// Addresses of hosts, in numeric form.
    private(set) var addresses = [String]()

    /// Reads the names from the extensions of a certificate. There are none if the extension is missing, or damaged and
    /// not critical.
    ///
    /// - Throws: An error if the extension is damaged and critical.
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
            let rest = nodes.all()
            // A flag may precede the value.
            guard let value = rest.last, kind == .subjectAlternativeName else { return }
            let isCritical = try rest.count > 1 && Bool(derEncoded: rest[0])
            do {
                self = try AlternativeNames(bytes: value.bytes(tagged: .octetString))
            } catch  where !isCritical {
                self = AlternativeNames()
            }
        }
    }

    private init() {}

    private init(bytes: Data) throws {
        let names = try DER.sequence(DER.parse([UInt8](bytes)), identifier: .sequence) { $0.all() }
        guard !names.isEmpty else { throw CertificateParts.Failure.incomplete }
        var hosts: [String]? = []
        for name in names.prefix(Self.greatestCount) {
            guard name.identifier.tagClass == .contextSpecific, name.identifier.tagNumber <= 8 else {
                throw CertificateParts.Failure.unexpected
            }
            guard case .primitive(let bytes) = name.content else { continue }
            switch name.identifier.tagNumber {
            case 1: emailAddresses.append(DERText.latin1(bytes))
            case 2:
                hosts = DERText.utf8(bytes).flatMap { host in hosts.map { $0 + (HostName.isOne(host) ? [host] : []) } }
            case 7: DERText.address(bytes).map { addresses.append($0) }
            default: break
            }
        }
        // If one name is not text, the others cannot be trusted.
        self.hosts = hosts ?? []
    }
}

/// The form of a host's name: RFC 1035, section 2.3.1, and RFC 3696, with `*` and `_` as letters.
enum HostName {
    static func isOne(_ text: String) -> Bool {
        guard text.utf8.count <= 255 else { return false }
        let labels = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        // The last label must contain letters, because four numbers are an address.
        return labels.allSatisfy(isLabel) && labels.last?.contains(where: isLetter) == true
    }

    private static func isLabel(_ label: Substring.UTF8View) -> Bool {
        guard (1...63).contains(label.count), label.first != dash, label.last != dash else { return false }
        return label.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) || $0 == dash || $0 == underscore }
    }

    private static let dash = UInt8(ascii: "-")
    private static let underscore = UInt8(ascii: "_")

    private static func isLetter(_ byte: UInt8) -> Bool {
        (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte) || byte == UInt8(ascii: "*")
    }
}

extension ASN1Identifier {
    fileprivate static let extensions = ASN1Identifier(tagWithNumber: 3, tagClass: .contextSpecific)
}

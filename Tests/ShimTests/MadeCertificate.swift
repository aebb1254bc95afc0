// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation

/// A certificate with any content, made for a test. The signature is only valid if a key is named.
struct MadeCertificate {
    /// One part of a name: its identifier, the tag of its text, and the bytes of the text.
    struct Part {
        let kind: [UInt8]
        let tag: UInt8
        let bytes: [UInt8]

        static func commonName(_ text: String, tag: UInt8 = 0x0c) -> Part { Part(kind: [0x55, 4, 3], tag, text) }
        static func organization(_ text: String) -> Part { Part(kind: [0x55, 4, 10], 0x0c, text) }
        static func unit(_ text: String) -> Part { Part(kind: [0x55, 4, 11], 0x0c, text) }
        static func description(_ text: String) -> Part { Part(kind: [0x55, 4, 13], 0x0c, text) }
        static func locality(_ text: String) -> Part { Part(kind: [0x55, 4, 7], 0x0c, text) }
        static func email(_ text: String) -> Part {
            Part(kind: [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 9, 1], 0x16, text)
        }

        init(kind: [UInt8], _ tag: UInt8, _ text: String) {
            self.init(kind: kind, tag: tag, bytes: Array(text.utf8))
        }

        init(kind: [UInt8], tag: UInt8, bytes: [UInt8]) {
            self.kind = kind
            self.tag = tag
            self.bytes = bytes
        }
    }

    /// The version number in the certificate, which counts from 0. Nil leaves it out.
    var version: UInt8? = 2
    var serialNumber = der(0x02, [7])
    var subject: [Part] = []
    var issuer: [Part] = [.commonName("issuer")]
    /// The curve's identifier, and the point.
    var curve: [UInt8] = [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07]
    var publicKey = KeyVectors.p256PublicKey
    /// Alternative names of the subject. The tag distinguishes e-mail addresses (0x81) from hosts (0x82).
    var alternativeNames: [(tag: UInt8, text: String)] = []
    var signature = der(0x03, [0, 0])
    /// The key of the issuer.
    var issuerKey: P256.Signing.PrivateKey?
    var dates = ["260101000000Z", "460101000000Z"]
    /// Replaces the subject.
    var rawSubject: [UInt8]?
    /// Replaces all extensions.
    var rawExtensions: [[UInt8]]?

    var data: Data {
        let algorithm = Self.der(0x30, Self.der(0x06, [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02]))
        let validity = Self.der(0x30, dates.flatMap(Self.time))
        let keyKind = Self.der(0x06, [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01]) + Self.der(0x06, curve)
        let keyInfo = Self.der(0x30, Self.der(0x30, keyKind) + Self.der(0x03, [0] + publicKey))
        let signed =
            (version.map { Self.der(0xa0, Self.der(0x02, [$0])) } ?? []) + serialNumber + algorithm
            + Self.name(issuer) + validity + (rawSubject ?? Self.name(subject)) + keyInfo + extensions
        let content = Self.der(0x30, signed)
        let right = try? issuerKey?.signature(for: content).derRepresentation
        return Data(Self.der(0x30, content + algorithm + (right.map { Self.der(0x03, [0] + $0) } ?? signature)))
    }

    private var extensions: [UInt8] {
        if let rawExtensions { return Self.der(0xa3, Self.der(0x30, rawExtensions.flatMap { $0 })) }
        if alternativeNames.isEmpty { return [] }
        let names = Self.der(0x30, alternativeNames.flatMap { Self.der($0.tag, Array($0.text.utf8)) })
        // An extension that is not about names comes first, and both are critical.
        let other = Self.der(0x06, [0x55, 0x1d, 19]) + Self.der(0x01, [0xff]) + Self.der(0x04, names)
        let own = Self.der(0x06, [0x55, 0x1d, 17]) + Self.der(0x01, [0xff]) + Self.der(0x04, names)
        return Self.der(0xa3, Self.der(0x30, Self.der(0x30, other) + Self.der(0x30, own)))
    }

    /// An extension with these bytes as its value.
    static func `extension`(_ kind: [UInt8], _ value: [UInt8], isCritical: Bool = false) -> [UInt8] {
        der(0x30, der(0x06, kind) + (isCritical ? der(0x01, [0xff]) : []) + der(0x04, value))
    }

    static func name(_ parts: [Part]) -> [UInt8] {
        let sets = parts.flatMap { part in
            der(0x31, der(0x30, der(0x06, part.kind) + der(part.tag, part.bytes)))
        }
        return der(0x30, sets)
    }

    private static func time(_ text: String) -> [UInt8] {
        der([15, 19].contains(text.utf8.count) ? 0x18 : 0x17, Array(text.utf8))
    }

    /// A value in DER.
    static func der(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        switch content.count {
        case ..<0x80: [tag, UInt8(content.count)] + content
        case ..<0x100: [tag, 0x81, UInt8(content.count)] + content
        case ..<0x1_0000: [tag, 0x82, UInt8(content.count >> 8), UInt8(content.count & 0xff)] + content
        default:
            [
                tag, 0x83, UInt8(content.count >> 16 & 0xff), UInt8(content.count >> 8 & 0xff),
                UInt8(content.count & 0xff),
            ]
                + content
        }
    }
}

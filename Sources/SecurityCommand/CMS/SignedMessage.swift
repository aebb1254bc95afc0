// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemShim
import SwiftASN1

/// A signed message of CMS (RFC 5652) that is to be written.
///
/// The key signs as any key does: one that cannot be exported, or that is in a TPM, too.
struct SignedMessage {
    let content: [UInt8]
    /// Further certificates that readers may need.
    var certificates: [SecCertificate] = []
    /// Whether the content is left out of the message.
    var isDetached = false
    var digest = MessageDigest.all[0]
    var signingTime: Date?
    /// Whether it says which ciphers its signer can read.
    var namesCapabilities = false
    var encryptionCertificate: SecCertificate?

    init(_ content: [UInt8]) {
        self.content = content
    }

    /// The message in DER, signed with the identity's key.
    ///
    /// - Throws: ``CommandFailure`` when the key cannot sign.
    func signed(by identity: SecIdentity) throws -> [UInt8] {
        var key: SecKey?
        guard SecIdentityCopyPrivateKey(identity, &key) == errSecSuccess, let key,
            let certificate = identity.certificate
        else { throw CommandFailure("SecIdentityCopyPrivateKey", errSecDecode) }
        let attributes = try der { try $0.serializeSetOf(signedAttributes()) }
        let signature = try sign(attributes, key)
        let algorithm = try Self.signatureAlgorithm(key, digest)
        let issuer = try IssuerAndSerialNumber(certificate)
        let signer = try der { coder in
            try coder.appendConstructedNode(identifier: .sequence) { coder in
                try coder.serialize(1)
                coder.serializeRawBytes(issuer.bytes)
                try Self.algorithm(&coder, digest.identifier)
                // The set, under the context's tag 0.
                coder.serializeRawBytes([0xA0] + attributes.dropFirst())
                coder.serializeRawBytes(algorithm)
                coder.appendPrimitiveNode(identifier: .octetString) { $0 += signature }
            }
        }
        return try message(digests: [digest.identifier], certificates: [certificate] + certificates, signers: [signer])
    }

    /// A message that has certificates in it and nothing else.
    static func certificates(_ certificates: [SecCertificate]) throws -> [UInt8] {
        var message = SignedMessage([])
        message.isDetached = true
        return try message.message(digests: [], certificates: certificates, signers: [])
    }

    // MARK: Parts

    private static let dataIdentifier: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 7, 1]
    private static let signedDataIdentifier: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 7, 2]

    private func message(
        digests: [ASN1ObjectIdentifier], certificates: [SecCertificate], signers: [[UInt8]]
    ) throws -> [UInt8] {
        var distinct: [SecCertificate] = []
        for certificate in certificates where !distinct.contains(where: { $0.data == certificate.data }) {
            distinct.append(certificate)
        }
        return try der { coder in
            try coder.appendConstructedNode(identifier: .sequence) { coder in
                try coder.serialize(Self.signedDataIdentifier)
                try coder.appendConstructedNode(identifier: Self.tag(0)) { coder in
                    try coder.appendConstructedNode(identifier: .sequence) { coder in
                        try coder.serialize(1)
                        try coder.appendConstructedNode(identifier: .set) { coder in
                            for digest in digests { try Self.algorithm(&coder, digest) }
                        }
                        try encapsulated(&coder)
                        try coder.serializeSetOf(distinct.map { Encoded(Array($0.data)) }, identifier: Self.tag(0))
                        try coder.serializeSetOf(signers.map(Encoded.init))
                    }
                }
            }
        }
    }

    private func encapsulated(_ coder: inout DER.Serializer) throws {
        try coder.appendConstructedNode(identifier: .sequence) { coder in
            try coder.serialize(Self.dataIdentifier)
            if isDetached { return }
            coder.appendConstructedNode(identifier: Self.tag(0)) { coder in
                coder.appendPrimitiveNode(identifier: .octetString) { $0 += content }
            }
        }
    }

    /// What is signed: the kind of content and its digest, and what else was asked for.
    private func signedAttributes() throws -> [Encoded] {
        var attributes = [
            try attribute([1, 2, 840, 113549, 1, 9, 3]) { try $0.serialize(Self.dataIdentifier) },
            try attribute([1, 2, 840, 113549, 1, 9, 4]) { coder in
                coder.appendPrimitiveNode(identifier: .octetString) { $0 += digest.digest(content) }
            },
        ]
        if let signingTime {
            attributes.append(try attribute([1, 2, 840, 113549, 1, 9, 5]) { try Self.time(&$0, signingTime) })
        }
        if namesCapabilities {
            attributes.append(
                try attribute([1, 2, 840, 113549, 1, 9, 15]) { coder in
                    try coder.appendConstructedNode(identifier: .sequence) { coder in
                        // AES with 256 and 128 bits.
                        for last: UInt in [42, 2] {
                            try Self.algorithm(&coder, [2, 16, 840, 1, 101, 3, 4, 1, last], hasNull: false)
                        }
                    }
                })
        }
        if let encryptionCertificate {
            let issuer = try IssuerAndSerialNumber(encryptionCertificate)
            attributes.append(
                try attribute([1, 2, 840, 113549, 1, 9, 16, 2, 11]) { coder in
                    // The sequence, under the context's tag 0.
                    coder.serializeRawBytes([0xA0] + issuer.bytes.dropFirst())
                })
        }
        return attributes
    }

    private func attribute(
        _ identifier: ASN1ObjectIdentifier, _ value: (inout DER.Serializer) throws -> Void
    ) throws -> Encoded {
        Encoded(
            try der { coder in
                try coder.appendConstructedNode(identifier: .sequence) { coder in
                    try coder.serialize(identifier)
                    try coder.appendConstructedNode(identifier: .set, value)
                }
            })
    }

    // MARK: Signature

    private func sign(_ bytes: [UInt8], _ key: SecKey) throws -> [UInt8] {
        let algorithm = Self.isOfCurve(key) ? digest.curveAlgorithm : digest.rsaAlgorithm
        var error: Unmanaged<CFError>?
        guard let signature = SecKeyCreateSignature(key, algorithm, Data(bytes) as CFData, &error) else {
            let status = error.map { OSStatus(truncatingIfNeeded: $0.takeRetainedValue().code) } ?? errSecParam
            throw CommandFailure("SecKeyCreateSignature", status)
        }
        return Array(signature as Data)
    }

    private static func isOfCurve(_ key: SecKey) -> Bool {
        let attributes = SecKeyCopyAttributes(key) as NSDictionary?
        return "\(attributes?[kSecAttrKeyType] ?? "")" == "\(kSecAttrKeyTypeECSECPrimeRandom)"
    }

    private static func signatureAlgorithm(_ key: SecKey, _ digest: MessageDigest) throws -> [UInt8] {
        try der { coder in
            if isOfCurve(key) {
                try algorithm(&coder, digest.curveSignature, hasNull: false)
            } else {
                try algorithm(&coder, [1, 2, 840, 113549, 1, 1, 1])
            }
        }
    }

    // MARK: DER

    private static func tag(_ number: UInt) -> ASN1Identifier {
        ASN1Identifier(tagWithNumber: number, tagClass: .contextSpecific)
    }

    private static func algorithm(
        _ coder: inout DER.Serializer, _ identifier: ASN1ObjectIdentifier, hasNull: Bool = true
    ) throws {
        try coder.appendConstructedNode(identifier: .sequence) { coder in
            try coder.serialize(identifier)
            if hasNull { coder.appendPrimitiveNode(identifier: .null) { _ in } }
        }
    }

    /// Two digits for the year until 2049, four from then on.
    private static func time(_ coder: inout DER.Serializer, _ date: Date) throws {
        var seconds = time_t(date.timeIntervalSince1970.rounded(.down))
        var parts = tm()
        gmtime_r(&seconds, &parts)
        let year = Int(parts.tm_year) + 1900, month = Int(parts.tm_mon) + 1, day = Int(parts.tm_mday)
        let hours = Int(parts.tm_hour), minutes = Int(parts.tm_min), second = min(Int(parts.tm_sec), 59)
        if (1950..<2050).contains(year) {
            try coder.serialize(
                UTCTime(year: year, month: month, day: day, hours: hours, minutes: minutes, seconds: second))
        } else {
            try coder.serialize(
                GeneralizedTime(
                    year: year, month: month, day: day, hours: hours, minutes: minutes, seconds: second,
                    fractionalSeconds: 0))
        }
    }
}

/// How a message names a certificate: who issued it, and under which number.
struct IssuerAndSerialNumber {
    /// In DER.
    let bytes: [UInt8]

    /// - Throws: ``CommandFailure`` for a certificate that has neither, which none has.
    init(_ certificate: SecCertificate) throws {
        let fields = try? Self.fields(Array(certificate.data))
        guard let fields else { throw CommandFailure("cms", errSecDecode) }
        bytes = try der { coder in
            coder.appendConstructedNode(identifier: .sequence) { coder in
                coder.serializeRawBytes(fields.issuer)
                coder.serializeRawBytes(fields.number)
            }
        }
    }

    private static func fields(
        _ certificate: [UInt8]
    ) throws -> (issuer: ArraySlice<UInt8>, number: ArraySlice<UInt8>)? {
        guard let signed = children(try DER.parse(certificate)).first else { return nil }
        // The version is left out of certificates of the first.
        let isVersion: (ASN1Node) -> Bool = { $0.identifier.tagClass == .contextSpecific }
        let fields = Array(children(signed).drop(while: isVersion))
        guard fields.count > 2 else { return nil }
        return (fields[2].encodedBytes, fields[0].encodedBytes)
    }

    private static func children(_ node: ASN1Node) -> [ASN1Node] {
        guard case .constructed(let nodes) = node.content else { return [] }
        return Array(nodes)
    }
}

/// A value that is in DER already.
private struct Encoded: DERSerializable {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    func serialize(into coder: inout DER.Serializer) throws { coder.serializeRawBytes(bytes) }
}

private func der(_ body: (inout DER.Serializer) throws -> Void) throws -> [UInt8] {
    var serializer = DER.Serializer()
    try body(&serializer)
    return serializer.serializedBytes
}

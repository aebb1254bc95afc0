// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemShim

/// A new private key on the curve P-256.
func newPrivateKey() throws -> SecKey {
    let parameters = [kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256] as CFDictionary
    return try expectValue(SecKeyCreateRandomKey(parameters, nil), "a key")
}

func bytes(of key: SecKey) throws -> Data {
    try expectValue(SecKeyCopyExternalRepresentation(key, nil) as Data?, "the bytes of a key")
}

/// A new key with a certificate that has these names, as an identity.
func newIdentity(_ name: String, issuer: String? = nil, serialNumber: UInt8 = 1) throws -> SecIdentity {
    let key = try newPrivateKey()
    let certificate = try newCertificate(name, issuer: issuer, serialNumber: serialNumber, of: key)
    return try expectValue(SecIdentityCreate(nil, certificate, key), "an identity")
}

/// The certificate and the key of an identity.
func halves(of identity: SecIdentity) throws -> (certificate: SecCertificate, key: SecKey) {
    var certificate: SecCertificate?
    var key: SecKey?
    try expect(SecIdentityCopyCertificate(identity, &certificate))
    try expect(SecIdentityCopyPrivateKey(identity, &key))
    return (try expectValue(certificate, "a certificate"), try expectValue(key, "a key"))
}

/// A certificate of the public half of a P-256 key. The issuer has the name of the subject unless `issuer` names
/// another one. The signature is empty.
///
/// - Parameters:
///   - dates: The first and the last date, each as year, month, day and time with two digits per part.
///   - host: A server that the certificate is for.
///   - email: An e-mail address of the subject.
///   - keyIdentifier: The identifier that the certificate gives its key.
func newCertificate(
    _ name: String, issuer: String? = nil, serialNumber: UInt8 = 1, of key: SecKey,
    dates: (String, String) = ("260101000000", "460101000000"), host: String? = nil, email: String? = nil,
    keyIdentifier: Data? = nil
) throws -> SecCertificate {
    let publicKey = try expectValue(SecKeyCopyPublicKey(key), "a public key")
    let point = try bytes(of: publicKey)
    let version = der(0xa0, der(0x02, [2]))
    let algorithm = der(0x30, der(0x06, [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02]))
    let (subjectName, issuerName) = (fullName(name), fullName(issuer ?? name))
    let validity = der(0x30, der(0x17, Array("\(dates.0)Z".utf8)) + der(0x17, Array("\(dates.1)Z".utf8)))
    let curve = der(0x06, [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01])
    let curveName = der(0x06, [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07])
    let keyInfo = der(0x30, der(0x30, curve + curveName) + der(0x03, [0] + point))
    let names = [(UInt8(0x81), email), (0x82, host)].compactMap { tag, name in name.map { der(tag, Array($0.utf8)) } }
    var extensions: [UInt8] = []
    if !names.isEmpty { extensions += fullExtension([0x55, 0x1d, 0x11], der(0x30, names.joined())) }
    if host != nil {
        let server = der(0x06, [0x2b, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, 0x01])
        extensions += fullExtension([0x55, 0x1d, 0x25], der(0x30, server))
    }
    if let keyIdentifier { extensions += fullExtension([0x55, 0x1d, 0x0e], der(0x04, keyIdentifier)) }
    if !extensions.isEmpty { extensions = der(0xa3, der(0x30, extensions)) }
    let signed =
        version + der(0x02, [serialNumber]) + algorithm + issuerName + validity + subjectName + keyInfo + extensions
    let certificate = der(0x30, der(0x30, signed) + algorithm + der(0x03, [0, 0]))
    return try expectValue(
        SecCertificateCreateWithData(nil, Data(certificate) as CFData), "a certificate")
}

private func fullExtension(_ kind: [UInt8], _ value: [UInt8]) -> [UInt8] {
    der(0x30, der(0x06, kind) + der(0x04, value))
}

/// A name that consists of a common name.
func fullName(_ commonName: String, isUTF8: Bool = false) -> [UInt8] {
    // A PrintableString ignores case and extra spaces in comparisons, but it can only hold ASCII characters.
    let tag: UInt8 = isUTF8 || !commonName.utf8.allSatisfy { $0 < 0x80 } ? 0x0c : 0x13
    return der(0x30, der(0x31, der(0x30, der(0x06, [0x55, 0x04, 0x03]) + der(tag, Array(commonName.utf8)))))
}

/// A name without the tag and length of its sequence, which are two bytes in a short name.
func nameContent(_ name: Data?) throws -> Data {
    let name = try expectValue(name, "a name")
    try expect(name.count < 0x82 && name.first == 0x30, "the name is no short sequence")
    return Data(name.dropFirst(2))
}

private func der(_ tag: UInt8, _ content: some Collection<UInt8>) -> [UInt8] {
    switch content.count {
    case ..<0x80: [tag, UInt8(content.count)] + content
    case ..<0x100: [tag, 0x81, UInt8(content.count)] + content
    default: [tag, 0x82, UInt8(content.count >> 8), UInt8(content.count & 0xff)] + content
    }
}

import Foundation
import SecItemShim

/// A new private key on the curve P-256.
func newPrivateKey() throws -> SecKey {
    let parameters = [kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256] as CFDictionary
    return try expectValue(SecKeyCreateRandomKey(parameters, nil), "a key")
}

/// The bytes of a key.
func bytes(of key: SecKey) throws -> Data {
    try expectValue(SecKeyCopyExternalRepresentation(key, nil) as Data?, "the bytes of a key")
}

/// A certificate of the public half of a P-256 key, with these names; its issuer is the subject unless named. Nobody has signed it.
func newCertificate(
    _ name: String, issuer: String? = nil, serialNumber: UInt8 = 1, of key: SecKey
) throws -> SecCertificate {
    let publicKey = try expectValue(SecKeyCopyPublicKey(key), "a public key")
    let point = try bytes(of: publicKey)
    let version = der(0xa0, der(0x02, [2]))
    let algorithm = der(0x30, der(0x06, [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02]))
    let (subjectName, issuerName) = (fullName(name), fullName(issuer ?? name))
    let validity = der(0x30, der(0x17, Array("260101000000Z".utf8)) + der(0x17, Array("460101000000Z".utf8)))
    let curve = der(0x06, [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01])
    let curveName = der(0x06, [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07])
    let keyInfo = der(0x30, der(0x30, curve + curveName) + der(0x03, [0] + point))
    let signed = version + der(0x02, [serialNumber]) + algorithm + issuerName + validity + subjectName + keyInfo
    let certificate = der(0x30, der(0x30, signed) + algorithm + der(0x03, [0, 0]))
    return try expectValue(
        SecCertificateCreateWithData(nil, Data(certificate) as CFData), "a certificate")
}

/// A name that consists of a common name.
private func fullName(_ commonName: String) -> [UInt8] {
    der(0x30, der(0x31, der(0x30, der(0x06, [0x55, 0x04, 0x03]) + der(0x0c, Array(commonName.utf8)))))
}

/// A value in DER.
private func der(_ tag: UInt8, _ content: some Collection<UInt8>) -> [UInt8] {
    switch content.count {
    case ..<0x80: [tag, UInt8(content.count)] + content
    case ..<0x100: [tag, 0x81, UInt8(content.count)] + content
    default: [tag, 0x82, UInt8(content.count >> 8), UInt8(content.count & 0xff)] + content
    }
}

// SPDX-License-Identifier: Apache-2.0

// Certificates and identities as types in the interface of a wrapper.
// swift-format-ignore-file: NeverForceUnwrap

import Foundation
import Security

private protocol SecurityObject {
    static var typeID: CFTypeID { get }
}

extension SecCertificate: SecurityObject { fileprivate static var typeID: CFTypeID { SecCertificateGetTypeID() } }
extension SecKey: SecurityObject { fileprivate static var typeID: CFTypeID { SecKeyGetTypeID() } }
extension SecIdentity: SecurityObject { fileprivate static var typeID: CFTypeID { SecIdentityGetTypeID() } }

private func cast<Object: SecurityObject>(_ value: CFTypeRef, _ type: Object.Type) -> Object? {
    CFGetTypeID(value) == Object.typeID ? (value as! Object) : nil
}

extension SecIdentity {
    fileprivate var parts: (SecCertificate, SecKey)? {
        var certificate: SecCertificate?
        var key: SecKey?
        guard SecIdentityCopyCertificate(self, &certificate) == errSecSuccess,
            SecIdentityCopyPrivateKey(self, &key) == errSecSuccess, let certificate, let key
        else { return nil }
        return (certificate, key)
    }
}

private func importIdentities(_ data: Data, passphrase: String) throws -> [SecIdentity] {
    var items: CFArray?
    let status = SecPKCS12Import(data as CFData, [kSecImportExportPassphrase: passphrase] as CFDictionary, &items)
    guard status == errSecSuccess else { throw NSError(domain: NSOSStatusErrorDomain, code: Int(status)) }
    let found = items as? Array<[String: Any]> ?? []
    return found.compactMap { $0[kSecImportItemIdentity as String] }.map { $0 as! SecIdentity }.filter {
        $0.parts != nil
    }
}

let certificateText = """
    MIIBkjCCATegAwIBAgIUBINb665yCxuhZ8pYoi0su3zfua8wCgYIKoZIzj0EAwIwHTEbMBkGA1UEAwwSY2xpZW50LmV4YW1wbGUub3Jn
    MCAXDTI2MTEyMTE1MzkxMVoYDzIxMjYxMDI4MTUzOTExWjAdMRswGQYDVQQDDBJjbGllbnQuZXhhbXBsZS5vcmcwWTATBgcqhkjOPQIB
    BggqhkjOPQMBBwNCAAST6FnB2y4JV9xZ2hEoQtRAE4OSsOmt2P3iebGdnEZLrooOqUQtRvnuATnbbNpexQVl6e1erJkY4QlY18K0hGUJ
    o1MwUTAdBgNVHQ4EFgQUonTCBHhX6uUs0GVq15CG6BRVOiwwHwYDVR0jBBgwFoAUonTCBHhX6uUs0GVq15CG6BRVOiwwDwYDVR0TAQH/
    BAUwAwEB/zAKBggqhkjOPQQDAgNJADBGAiEAuewP057ZcxfUyuWk6yazabmUCD4T8U5caWMw//ISYHsCIQC27c3ae6XIdXMnGVDlFtwk
    UblVFA7hceVEeVENrdQp3w==
    """

@Sendable func checkCertificates() throws {
    try expect(SecCertificateCreateWithData(kCFAllocatorDefault, Data() as CFData) == nil)
    let data = Data(base64Encoded: certificateText, options: .ignoreUnknownCharacters)!
    let real = SecCertificateCreateWithData(nil, data as CFData)!
    try expect(cast(real, SecCertificate.self) === real)
    try expect(cast(real as CFTypeRef, SecKey.self) == nil)
    var name: CFString?
    SecCertificateCopyCommonName(real, &name)
    try expectEqual(name as String?, "client.example.org")
    try expectEqual(SecCertificateCopySubjectSummary(real) as String?, "client.example.org")
    try expect(SecCertificateCopyKey(real) != nil)
    try expect((SecCertificateCopyData(real) as Data).count > 100)
    do {
        _ = try importIdentities(Data([0x30]), passphrase: "secret")
        throw Failure(description: "imported nothing")
    } catch let error as NSError where error.domain == NSOSStatusErrorDomain {
        try expectEqual(error.code, Int(errSecDecode))
    }
}

// SPDX-License-Identifier: Apache-2.0

// The order of the imports is part of the test.
// swift-format-ignore-file: OrderedImports
import X509
import SwiftASN1
import SelfSigned
import Security

/// Makes a certificate with one library, stores it with the other, and reads it back.
@main
struct CertificatesFirst {
    struct Failure: Error {
        let status: OSStatus
    }

    static func main() throws {
        let certificate = try makeCertificate()
        var serializer = DER.Serializer()
        try certificate.serialize(into: &serializer)
        let item: [CFString: Any] = [kSecClass: kSecClassCertificate, kSecAttrLabel: "CertificatesFirst"]
        let data = [kSecValueData: Data(serializer.serializedBytes)]
        try check(SecItemAdd(item.merging(data) { $1 } as CFDictionary, nil))
        var result: CFTypeRef?
        try check(SecItemCopyMatching(item.merging([kSecReturnData: true]) { $1 } as CFDictionary, &result))
        try check(SecItemDelete(item as CFDictionary))
        let found = try Certificate(derEncoded: Array(result as? Data ?? Data()))
        if found != certificate { throw Failure(status: errSecDecode) }
        print("CertificatesFirst: \(found.subject)")
    }

    static func check(_ status: OSStatus) throws {
        if status != errSecSuccess { throw Failure(status: status) }
    }
}

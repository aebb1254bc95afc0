import Crypto
import Foundation
import X509

/// A part of the graph that has nothing to do with the keychain.
@main
struct CertificatesOnly {
    static func main() throws {
        let key = Certificate.PrivateKey(P256.Signing.PrivateKey())
        let name = try DistinguishedName { CommonName("beside") }
        let certificate = try Certificate(
            version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: key.publicKey,
            notValidBefore: Date(), notValidAfter: Date(timeIntervalSinceNow: 3600), issuer: name, subject: name,
            signatureAlgorithm: .ecdsaWithSHA256, extensions: Certificate.Extensions(), issuerPrivateKey: key)
        print("CertificatesOnly: \(certificate.subject)")
    }
}

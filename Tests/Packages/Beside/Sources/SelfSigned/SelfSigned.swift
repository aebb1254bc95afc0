// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
public import X509

/// Makes a self-signed certificate. This part of the graph does not use the keychain.
public func makeCertificate() throws -> Certificate {
    let key = Certificate.PrivateKey(P256.Signing.PrivateKey())
    let name = try DistinguishedName { CommonName("beside") }
    return try Certificate(
        version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: key.publicKey,
        notValidBefore: Date(), notValidAfter: Date(timeIntervalSinceNow: 3600), issuer: name, subject: name,
        signatureAlgorithm: .ecdsaWithSHA256, extensions: Certificate.Extensions(), issuerPrivateKey: key)
}

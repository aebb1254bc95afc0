// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import SecItemShim
import SecItemStore

/// The digests by which people and scripts name a certificate.
struct CertificateDigest {
    let sha1: String
    let sha256: String

    init(_ certificate: SecCertificate) {
        sha1 = Self.digits(Insecure.SHA1.hash(data: certificate.data))
        sha256 = Self.digits(SHA256.hash(data: certificate.data))
    }

    /// Whether it is this one, in capitals or not, with or without colons.
    func matches(_ text: String) -> Bool {
        let text = text.uppercased().filter { $0 != ":" && $0 != " " }
        return text == sha1 || text == sha256
    }

    private static func digits(_ digest: some Sequence<UInt8>) -> String {
        digest.hexadecimal.uppercased()
    }
}

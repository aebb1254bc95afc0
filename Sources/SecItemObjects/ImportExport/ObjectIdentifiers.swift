// SPDX-License-Identifier: Apache-2.0

import SwiftASN1

// The identifiers of values in files of keys.

extension ASN1ObjectIdentifier {
    // MARK: Keys: RFC 8017, RFC 5480

    static let rsaKey: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 1, 1]
    static let curveKey: ASN1ObjectIdentifier = [1, 2, 840, 10045, 2, 1]

    // MARK: PKCS #7: RFC 2315

    static let plainData: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 7, 1]
    static let signedData: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 7, 2]
    static let encryptedData: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 7, 6]

    // MARK: PKCS #12: RFC 7292

    static let keyBag: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 12, 10, 1, 1]
    static let encryptedKeyBag: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 12, 10, 1, 2]
    static let certificateBag: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 12, 10, 1, 3]
    static let nestedBags: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 12, 10, 1, 6]
    static let x509Certificate: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 9, 22, 1]
    static let friendlyName: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 9, 20]
    static let localKeyIdentifier: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 9, 21]

    // MARK: Encryption with a passphrase: RFC 8018, RFC 7914

    static let pbes2: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 5, 13]
    static let pbkdf2: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 5, 12]
    static let pbmac1: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 5, 14]
    static let scrypt: ASN1ObjectIdentifier = [1, 3, 6, 1, 4, 1, 11591, 4, 11]
    static let hmacWithSHA256: ASN1ObjectIdentifier = [1, 2, 840, 113549, 2, 9]
    static let aes256CBC: ASN1ObjectIdentifier = [2, 16, 840, 1, 101, 3, 4, 1, 42]
    static let sha256: ASN1ObjectIdentifier = [2, 16, 840, 1, 101, 3, 4, 2, 1]
    static let rc2CBC: ASN1ObjectIdentifier = [1, 2, 840, 113549, 3, 2]
    static let desCBC: ASN1ObjectIdentifier = [1, 3, 14, 3, 2, 7]
}

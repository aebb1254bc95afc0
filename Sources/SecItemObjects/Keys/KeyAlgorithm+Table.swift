// SPDX-License-Identifier: Apache-2.0

// All of Apple's algorithms for RSA and curves, one in each row: name, scheme, digest, library.
// swift-format-ignore-file

import SecItemStore

extension KeyAlgorithm {
    static let table: [KeyAlgorithm] = [
        // RSA signatures
        KeyAlgorithm(.rsaSignatureRaw, .rsaSignature(.raw, of: .digest), nil, .libcrypto),
        KeyAlgorithm(.rsaSignatureDigestPKCS1v15Raw, .rsaSignature(.pkcs1, of: .digest), nil, .libcrypto),
        KeyAlgorithm(.rsaSignatureDigestPKCS1v15SHA1, .rsaSignature(.pkcs1, of: .digest), .sha1, .swiftCrypto),
        KeyAlgorithm(.rsaSignatureDigestPKCS1v15SHA224, .rsaSignature(.pkcs1, of: .digest), .sha224, .libcrypto),
        KeyAlgorithm(.rsaSignatureDigestPKCS1v15SHA256, .rsaSignature(.pkcs1, of: .digest), .sha256, .swiftCrypto),
        KeyAlgorithm(.rsaSignatureDigestPKCS1v15SHA384, .rsaSignature(.pkcs1, of: .digest), .sha384, .swiftCrypto),
        KeyAlgorithm(.rsaSignatureDigestPKCS1v15SHA512, .rsaSignature(.pkcs1, of: .digest), .sha512, .swiftCrypto),
        KeyAlgorithm(.rsaSignatureMessagePKCS1v15SHA1, .rsaSignature(.pkcs1, of: .message), .sha1, .swiftCrypto),
        KeyAlgorithm(.rsaSignatureMessagePKCS1v15SHA224, .rsaSignature(.pkcs1, of: .message), .sha224, .libcrypto),
        KeyAlgorithm(.rsaSignatureMessagePKCS1v15SHA256, .rsaSignature(.pkcs1, of: .message), .sha256, .swiftCrypto),
        KeyAlgorithm(.rsaSignatureMessagePKCS1v15SHA384, .rsaSignature(.pkcs1, of: .message), .sha384, .swiftCrypto),
        KeyAlgorithm(.rsaSignatureMessagePKCS1v15SHA512, .rsaSignature(.pkcs1, of: .message), .sha512, .swiftCrypto),
        KeyAlgorithm(.rsaSignatureDigestPSSSHA1, .rsaSignature(.pss, of: .digest), .sha1, .swiftCrypto),
        KeyAlgorithm(.rsaSignatureDigestPSSSHA224, .rsaSignature(.pss, of: .digest), .sha224, .libcrypto),
        KeyAlgorithm(.rsaSignatureDigestPSSSHA256, .rsaSignature(.pss, of: .digest), .sha256, .swiftCrypto),
        KeyAlgorithm(.rsaSignatureDigestPSSSHA384, .rsaSignature(.pss, of: .digest), .sha384, .swiftCrypto),
        KeyAlgorithm(.rsaSignatureDigestPSSSHA512, .rsaSignature(.pss, of: .digest), .sha512, .swiftCrypto),
        KeyAlgorithm(.rsaSignatureMessagePSSSHA1, .rsaSignature(.pss, of: .message), .sha1, .swiftCrypto),
        KeyAlgorithm(.rsaSignatureMessagePSSSHA224, .rsaSignature(.pss, of: .message), .sha224, .libcrypto),
        KeyAlgorithm(.rsaSignatureMessagePSSSHA256, .rsaSignature(.pss, of: .message), .sha256, .swiftCrypto),
        KeyAlgorithm(.rsaSignatureMessagePSSSHA384, .rsaSignature(.pss, of: .message), .sha384, .swiftCrypto),
        KeyAlgorithm(.rsaSignatureMessagePSSSHA512, .rsaSignature(.pss, of: .message), .sha512, .swiftCrypto),
        // ECDSA signatures
        KeyAlgorithm(.ecdsaSignatureDigestX962, .ecdsa(.x962, of: .digest), nil, .swiftCrypto),
        KeyAlgorithm(.ecdsaSignatureDigestX962SHA1, .ecdsa(.x962, of: .digest), .sha1, .swiftCrypto),
        KeyAlgorithm(.ecdsaSignatureDigestX962SHA224, .ecdsa(.x962, of: .digest), .sha224, .swiftCrypto),
        KeyAlgorithm(.ecdsaSignatureDigestX962SHA256, .ecdsa(.x962, of: .digest), .sha256, .swiftCrypto),
        KeyAlgorithm(.ecdsaSignatureDigestX962SHA384, .ecdsa(.x962, of: .digest), .sha384, .swiftCrypto),
        KeyAlgorithm(.ecdsaSignatureDigestX962SHA512, .ecdsa(.x962, of: .digest), .sha512, .swiftCrypto),
        KeyAlgorithm(.ecdsaSignatureMessageX962SHA1, .ecdsa(.x962, of: .message), .sha1, .swiftCrypto),
        KeyAlgorithm(.ecdsaSignatureMessageX962SHA224, .ecdsa(.x962, of: .message), .sha224, .libcrypto),
        KeyAlgorithm(.ecdsaSignatureMessageX962SHA256, .ecdsa(.x962, of: .message), .sha256, .swiftCrypto),
        KeyAlgorithm(.ecdsaSignatureMessageX962SHA384, .ecdsa(.x962, of: .message), .sha384, .swiftCrypto),
        KeyAlgorithm(.ecdsaSignatureMessageX962SHA512, .ecdsa(.x962, of: .message), .sha512, .swiftCrypto),
        KeyAlgorithm(.ecdsaSignatureDigestRFC4754, .ecdsa(.rfc4754, of: .digest), nil, .swiftCrypto),
        KeyAlgorithm(.ecdsaSignatureDigestRFC4754SHA1, .ecdsa(.rfc4754, of: .digest), .sha1, .swiftCrypto),
        KeyAlgorithm(.ecdsaSignatureDigestRFC4754SHA224, .ecdsa(.rfc4754, of: .digest), .sha224, .swiftCrypto),
        KeyAlgorithm(.ecdsaSignatureDigestRFC4754SHA256, .ecdsa(.rfc4754, of: .digest), .sha256, .swiftCrypto),
        KeyAlgorithm(.ecdsaSignatureDigestRFC4754SHA384, .ecdsa(.rfc4754, of: .digest), .sha384, .swiftCrypto),
        KeyAlgorithm(.ecdsaSignatureDigestRFC4754SHA512, .ecdsa(.rfc4754, of: .digest), .sha512, .swiftCrypto),
        KeyAlgorithm(.ecdsaSignatureMessageRFC4754SHA1, .ecdsa(.rfc4754, of: .message), .sha1, .swiftCrypto),
        KeyAlgorithm(.ecdsaSignatureMessageRFC4754SHA224, .ecdsa(.rfc4754, of: .message), .sha224, .libcrypto),
        KeyAlgorithm(.ecdsaSignatureMessageRFC4754SHA256, .ecdsa(.rfc4754, of: .message), .sha256, .swiftCrypto),
        KeyAlgorithm(.ecdsaSignatureMessageRFC4754SHA384, .ecdsa(.rfc4754, of: .message), .sha384, .swiftCrypto),
        KeyAlgorithm(.ecdsaSignatureMessageRFC4754SHA512, .ecdsa(.rfc4754, of: .message), .sha512, .swiftCrypto),
        KeyAlgorithm(.ecdsaSignatureRFC4754, .ecdsa(.rfc4754, of: .digest), nil, .swiftCrypto),
        // RSA encryption
        KeyAlgorithm(.rsaEncryptionRaw, .rsaEncryption(.raw), nil, .libcrypto),
        KeyAlgorithm(.rsaEncryptionPKCS1, .rsaEncryption(.pkcs1), nil, .swiftCrypto),
        KeyAlgorithm(.rsaEncryptionOAEPSHA1, .rsaEncryption(.oaep), .sha1, .swiftCrypto),
        KeyAlgorithm(.rsaEncryptionOAEPSHA224, .rsaEncryption(.oaep), .sha224, .libcrypto),
        KeyAlgorithm(.rsaEncryptionOAEPSHA256, .rsaEncryption(.oaep), .sha256, .swiftCrypto),
        KeyAlgorithm(.rsaEncryptionOAEPSHA384, .rsaEncryption(.oaep), .sha384, .libcrypto),
        KeyAlgorithm(.rsaEncryptionOAEPSHA512, .rsaEncryption(.oaep), .sha512, .libcrypto),
        KeyAlgorithm(.rsaEncryptionOAEPSHA1AESGCM, .rsaSessionKey, .sha1, .swiftCrypto),
        KeyAlgorithm(.rsaEncryptionOAEPSHA224AESGCM, .rsaSessionKey, .sha224, .libcrypto),
        KeyAlgorithm(.rsaEncryptionOAEPSHA256AESGCM, .rsaSessionKey, .sha256, .swiftCrypto),
        KeyAlgorithm(.rsaEncryptionOAEPSHA384AESGCM, .rsaSessionKey, .sha384, .libcrypto),
        KeyAlgorithm(.rsaEncryptionOAEPSHA512AESGCM, .rsaSessionKey, .sha512, .libcrypto),
        // ECIES
        KeyAlgorithm(.eciesEncryptionStandardX963SHA1AESGCM, .ecies(.standard, iv: .zero), .sha1, .swiftCrypto),
        KeyAlgorithm(.eciesEncryptionStandardX963SHA224AESGCM, .ecies(.standard, iv: .zero), .sha224, .libcrypto),
        KeyAlgorithm(.eciesEncryptionStandardX963SHA256AESGCM, .ecies(.standard, iv: .zero), .sha256, .swiftCrypto),
        KeyAlgorithm(.eciesEncryptionStandardX963SHA384AESGCM, .ecies(.standard, iv: .zero), .sha384, .swiftCrypto),
        KeyAlgorithm(.eciesEncryptionStandardX963SHA512AESGCM, .ecies(.standard, iv: .zero), .sha512, .swiftCrypto),
        KeyAlgorithm(.eciesEncryptionCofactorX963SHA1AESGCM, .ecies(.cofactor, iv: .zero), .sha1, .swiftCrypto),
        KeyAlgorithm(.eciesEncryptionCofactorX963SHA224AESGCM, .ecies(.cofactor, iv: .zero), .sha224, .libcrypto),
        KeyAlgorithm(.eciesEncryptionCofactorX963SHA256AESGCM, .ecies(.cofactor, iv: .zero), .sha256, .swiftCrypto),
        KeyAlgorithm(.eciesEncryptionCofactorX963SHA384AESGCM, .ecies(.cofactor, iv: .zero), .sha384, .swiftCrypto),
        KeyAlgorithm(.eciesEncryptionCofactorX963SHA512AESGCM, .ecies(.cofactor, iv: .zero), .sha512, .swiftCrypto),
        KeyAlgorithm(.eciesEncryptionStandardVariableIVX963SHA224AESGCM, .ecies(.standard, iv: .derived), .sha224, .libcrypto),
        KeyAlgorithm(.eciesEncryptionStandardVariableIVX963SHA256AESGCM, .ecies(.standard, iv: .derived), .sha256, .swiftCrypto),
        KeyAlgorithm(.eciesEncryptionStandardVariableIVX963SHA384AESGCM, .ecies(.standard, iv: .derived), .sha384, .swiftCrypto),
        KeyAlgorithm(.eciesEncryptionStandardVariableIVX963SHA512AESGCM, .ecies(.standard, iv: .derived), .sha512, .swiftCrypto),
        KeyAlgorithm(.eciesEncryptionCofactorVariableIVX963SHA224AESGCM, .ecies(.cofactor, iv: .derived), .sha224, .libcrypto),
        KeyAlgorithm(.eciesEncryptionCofactorVariableIVX963SHA256AESGCM, .ecies(.cofactor, iv: .derived), .sha256, .swiftCrypto),
        KeyAlgorithm(.eciesEncryptionCofactorVariableIVX963SHA384AESGCM, .ecies(.cofactor, iv: .derived), .sha384, .swiftCrypto),
        KeyAlgorithm(.eciesEncryptionCofactorVariableIVX963SHA512AESGCM, .ecies(.cofactor, iv: .derived), .sha512, .swiftCrypto),
        // ECDH
        KeyAlgorithm(.ecdhKeyExchangeStandard, .exchange(.standard), nil, .swiftCrypto),
        KeyAlgorithm(.ecdhKeyExchangeStandardX963SHA1, .exchange(.standard), .sha1, .swiftCrypto),
        KeyAlgorithm(.ecdhKeyExchangeStandardX963SHA224, .exchange(.standard), .sha224, .libcrypto),
        KeyAlgorithm(.ecdhKeyExchangeStandardX963SHA256, .exchange(.standard), .sha256, .swiftCrypto),
        KeyAlgorithm(.ecdhKeyExchangeStandardX963SHA384, .exchange(.standard), .sha384, .swiftCrypto),
        KeyAlgorithm(.ecdhKeyExchangeStandardX963SHA512, .exchange(.standard), .sha512, .swiftCrypto),
        KeyAlgorithm(.ecdhKeyExchangeCofactor, .exchange(.cofactor), nil, .swiftCrypto),
        KeyAlgorithm(.ecdhKeyExchangeCofactorX963SHA1, .exchange(.cofactor), .sha1, .swiftCrypto),
        KeyAlgorithm(.ecdhKeyExchangeCofactorX963SHA224, .exchange(.cofactor), .sha224, .libcrypto),
        KeyAlgorithm(.ecdhKeyExchangeCofactorX963SHA256, .exchange(.cofactor), .sha256, .swiftCrypto),
        KeyAlgorithm(.ecdhKeyExchangeCofactorX963SHA384, .exchange(.cofactor), .sha384, .swiftCrypto),
        KeyAlgorithm(.ecdhKeyExchangeCofactorX963SHA512, .exchange(.cofactor), .sha512, .swiftCrypto),
    ]

    private static let byName = Dictionary(uniqueKeysWithValues: table.map { ($0.name.rawValue as String, $0) })
    /// Nearly every caller passes the constants themselves, whose texts need not be read.
    private static let byConstant = Dictionary(
        uniqueKeysWithValues: table.map { (ObjectIdentifier($0.name.rawValue), $0) })

    /// - Returns: nil for an identifier that is not Apple's.
    init?(_ name: SecKeyAlgorithm) {
        guard let row = Self.byConstant[ObjectIdentifier(name.rawValue)] ?? Self.byName[name.rawValue as String] else {
            return nil
        }
        self = row
    }
}

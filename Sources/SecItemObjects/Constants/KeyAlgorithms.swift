// SPDX-License-Identifier: Apache-2.0

// Made by Scripts/make-constants from Data/constants.tsv: change it there.
//
// Algorithms of the functions on keys. A raw value reads from the operation to the details: family, padding or format,
// digest.

import Foundation

/// An algorithm for `SecKeyCreateSignature`, `SecKeyCreateEncryptedData` and the other functions on keys.
///
/// The value is Apple's identifier. An identifier that is not listed here makes a value that no key supports.
public struct SecKeyAlgorithm: RawRepresentable, Hashable, @unchecked Sendable {
    /// Apple's identifier.
    public let rawValue: CFString

    /// Makes a value of an identifier, without a check that it is known.
    public init(rawValue: CFString) {
        self.rawValue = rawValue
    }
}

// MARK: - RSA signatures

extension SecKeyAlgorithm {
    /// RSA over bytes the caller padded.
    public static let rsaSignatureRaw = SecKeyAlgorithm(rawValue: "algid:sign:RSA:raw")

    /// RSA, PKCS #1 v1.5 padding, over bytes taken as they are.
    public static let rsaSignatureDigestPKCS1v15Raw = SecKeyAlgorithm(rawValue: "algid:sign:RSA:digest-PKCS1v15")

    /// RSA, PKCS #1 v1.5 padding, over a SHA-1 digest.
    public static let rsaSignatureDigestPKCS1v15SHA1 = SecKeyAlgorithm(rawValue: "algid:sign:RSA:digest-PKCS1v15:SHA1")

    /// RSA, PKCS #1 v1.5 padding, over a SHA-224 digest.
    public static let rsaSignatureDigestPKCS1v15SHA224 = SecKeyAlgorithm(
        rawValue: "algid:sign:RSA:digest-PKCS1v15:SHA224"
    )

    /// RSA, PKCS #1 v1.5 padding, over a SHA-256 digest.
    public static let rsaSignatureDigestPKCS1v15SHA256 = SecKeyAlgorithm(
        rawValue: "algid:sign:RSA:digest-PKCS1v15:SHA256"
    )

    /// RSA, PKCS #1 v1.5 padding, over a SHA-384 digest.
    public static let rsaSignatureDigestPKCS1v15SHA384 = SecKeyAlgorithm(
        rawValue: "algid:sign:RSA:digest-PKCS1v15:SHA384"
    )

    /// RSA, PKCS #1 v1.5 padding, over a SHA-512 digest.
    public static let rsaSignatureDigestPKCS1v15SHA512 = SecKeyAlgorithm(
        rawValue: "algid:sign:RSA:digest-PKCS1v15:SHA512"
    )

    /// RSA, PKCS #1 v1.5 padding, over a message that is digested with SHA-1 first.
    public static let rsaSignatureMessagePKCS1v15SHA1 = SecKeyAlgorithm(
        rawValue: "algid:sign:RSA:message-PKCS1v15:SHA1"
    )

    /// RSA, PKCS #1 v1.5 padding, over a message that is digested with SHA-224 first.
    public static let rsaSignatureMessagePKCS1v15SHA224 = SecKeyAlgorithm(
        rawValue: "algid:sign:RSA:message-PKCS1v15:SHA224"
    )

    /// RSA, PKCS #1 v1.5 padding, over a message that is digested with SHA-256 first.
    public static let rsaSignatureMessagePKCS1v15SHA256 = SecKeyAlgorithm(
        rawValue: "algid:sign:RSA:message-PKCS1v15:SHA256"
    )

    /// RSA, PKCS #1 v1.5 padding, over a message that is digested with SHA-384 first.
    public static let rsaSignatureMessagePKCS1v15SHA384 = SecKeyAlgorithm(
        rawValue: "algid:sign:RSA:message-PKCS1v15:SHA384"
    )

    /// RSA, PKCS #1 v1.5 padding, over a message that is digested with SHA-512 first.
    public static let rsaSignatureMessagePKCS1v15SHA512 = SecKeyAlgorithm(
        rawValue: "algid:sign:RSA:message-PKCS1v15:SHA512"
    )

    /// RSA, PSS padding, over a SHA-1 digest.
    public static let rsaSignatureDigestPSSSHA1 = SecKeyAlgorithm(rawValue: "algid:sign:RSA:digest-PSS:SHA1:SHA1:20")

    /// RSA, PSS padding, over a SHA-224 digest.
    public static let rsaSignatureDigestPSSSHA224 = SecKeyAlgorithm(
        rawValue: "algid:sign:RSA:digest-PSS:SHA224:SHA224:24"
    )

    /// RSA, PSS padding, over a SHA-256 digest.
    public static let rsaSignatureDigestPSSSHA256 = SecKeyAlgorithm(
        rawValue: "algid:sign:RSA:digest-PSS:SHA256:SHA256:32"
    )

    /// RSA, PSS padding, over a SHA-384 digest.
    public static let rsaSignatureDigestPSSSHA384 = SecKeyAlgorithm(
        rawValue: "algid:sign:RSA:digest-PSS:SHA384:SHA384:48"
    )

    /// RSA, PSS padding, over a SHA-512 digest.
    public static let rsaSignatureDigestPSSSHA512 = SecKeyAlgorithm(
        rawValue: "algid:sign:RSA:digest-PSS:SHA512:SHA512:64"
    )

    /// RSA, PSS padding, over a message that is digested with SHA-1 first.
    public static let rsaSignatureMessagePSSSHA1 = SecKeyAlgorithm(rawValue: "algid:sign:RSA:message-PSS:SHA1:SHA1:20")

    /// RSA, PSS padding, over a message that is digested with SHA-224 first.
    public static let rsaSignatureMessagePSSSHA224 = SecKeyAlgorithm(
        rawValue: "algid:sign:RSA:message-PSS:SHA224:SHA224:24"
    )

    /// RSA, PSS padding, over a message that is digested with SHA-256 first.
    public static let rsaSignatureMessagePSSSHA256 = SecKeyAlgorithm(
        rawValue: "algid:sign:RSA:message-PSS:SHA256:SHA256:32"
    )

    /// RSA, PSS padding, over a message that is digested with SHA-384 first.
    public static let rsaSignatureMessagePSSSHA384 = SecKeyAlgorithm(
        rawValue: "algid:sign:RSA:message-PSS:SHA384:SHA384:48"
    )

    /// RSA, PSS padding, over a message that is digested with SHA-512 first.
    public static let rsaSignatureMessagePSSSHA512 = SecKeyAlgorithm(
        rawValue: "algid:sign:RSA:message-PSS:SHA512:SHA512:64"
    )
}

// MARK: - ECDSA signatures

extension SecKeyAlgorithm {
    /// ECDSA, a DER encoded signature, over a digest of any length.
    public static let ecdsaSignatureDigestX962 = SecKeyAlgorithm(rawValue: "algid:sign:ECDSA:digest-X962")

    /// ECDSA, a DER encoded signature, over a SHA-1 digest.
    public static let ecdsaSignatureDigestX962SHA1 = SecKeyAlgorithm(rawValue: "algid:sign:ECDSA:digest-X962:SHA1")

    /// ECDSA, a DER encoded signature, over a SHA-224 digest.
    public static let ecdsaSignatureDigestX962SHA224 = SecKeyAlgorithm(rawValue: "algid:sign:ECDSA:digest-X962:SHA224")

    /// ECDSA, a DER encoded signature, over a SHA-256 digest.
    public static let ecdsaSignatureDigestX962SHA256 = SecKeyAlgorithm(rawValue: "algid:sign:ECDSA:digest-X962:SHA256")

    /// ECDSA, a DER encoded signature, over a SHA-384 digest.
    public static let ecdsaSignatureDigestX962SHA384 = SecKeyAlgorithm(rawValue: "algid:sign:ECDSA:digest-X962:SHA384")

    /// ECDSA, a DER encoded signature, over a SHA-512 digest.
    public static let ecdsaSignatureDigestX962SHA512 = SecKeyAlgorithm(rawValue: "algid:sign:ECDSA:digest-X962:SHA512")

    /// ECDSA, a DER encoded signature, over a message that is digested with SHA-1 first.
    public static let ecdsaSignatureMessageX962SHA1 = SecKeyAlgorithm(rawValue: "algid:sign:ECDSA:message-X962:SHA1")

    /// ECDSA, a DER encoded signature, over a message that is digested with SHA-224 first.
    public static let ecdsaSignatureMessageX962SHA224 = SecKeyAlgorithm(
        rawValue: "algid:sign:ECDSA:message-X962:SHA224"
    )

    /// ECDSA, a DER encoded signature, over a message that is digested with SHA-256 first.
    public static let ecdsaSignatureMessageX962SHA256 = SecKeyAlgorithm(
        rawValue: "algid:sign:ECDSA:message-X962:SHA256"
    )

    /// ECDSA, a DER encoded signature, over a message that is digested with SHA-384 first.
    public static let ecdsaSignatureMessageX962SHA384 = SecKeyAlgorithm(
        rawValue: "algid:sign:ECDSA:message-X962:SHA384"
    )

    /// ECDSA, a DER encoded signature, over a message that is digested with SHA-512 first.
    public static let ecdsaSignatureMessageX962SHA512 = SecKeyAlgorithm(
        rawValue: "algid:sign:ECDSA:message-X962:SHA512"
    )

    /// ECDSA, a signature of two plain numbers, over a digest of any length.
    public static let ecdsaSignatureDigestRFC4754 = SecKeyAlgorithm(rawValue: "algid:sign:ECDSA:digest-RFC4754")

    /// ECDSA, a signature of two plain numbers, over a SHA-1 digest.
    public static let ecdsaSignatureDigestRFC4754SHA1 = SecKeyAlgorithm(
        rawValue: "algid:sign:ECDSA:digest-RFC4754:SHA1"
    )

    /// ECDSA, a signature of two plain numbers, over a SHA-224 digest.
    public static let ecdsaSignatureDigestRFC4754SHA224 = SecKeyAlgorithm(
        rawValue: "algid:sign:ECDSA:digest-RFC4754:SHA224"
    )

    /// ECDSA, a signature of two plain numbers, over a SHA-256 digest.
    public static let ecdsaSignatureDigestRFC4754SHA256 = SecKeyAlgorithm(
        rawValue: "algid:sign:ECDSA:digest-RFC4754:SHA256"
    )

    /// ECDSA, a signature of two plain numbers, over a SHA-384 digest.
    public static let ecdsaSignatureDigestRFC4754SHA384 = SecKeyAlgorithm(
        rawValue: "algid:sign:ECDSA:digest-RFC4754:SHA384"
    )

    /// ECDSA, a signature of two plain numbers, over a SHA-512 digest.
    public static let ecdsaSignatureDigestRFC4754SHA512 = SecKeyAlgorithm(
        rawValue: "algid:sign:ECDSA:digest-RFC4754:SHA512"
    )

    /// ECDSA, a signature of two plain numbers, over a message that is digested with SHA-1 first.
    public static let ecdsaSignatureMessageRFC4754SHA1 = SecKeyAlgorithm(
        rawValue: "algid:sign:ECDSA:message-RFC4754:SHA1"
    )

    /// ECDSA, a signature of two plain numbers, over a message that is digested with SHA-224 first.
    public static let ecdsaSignatureMessageRFC4754SHA224 = SecKeyAlgorithm(
        rawValue: "algid:sign:ECDSA:message-RFC4754:SHA224"
    )

    /// ECDSA, a signature of two plain numbers, over a message that is digested with SHA-256 first.
    public static let ecdsaSignatureMessageRFC4754SHA256 = SecKeyAlgorithm(
        rawValue: "algid:sign:ECDSA:message-RFC4754:SHA256"
    )

    /// ECDSA, a signature of two plain numbers, over a message that is digested with SHA-384 first.
    public static let ecdsaSignatureMessageRFC4754SHA384 = SecKeyAlgorithm(
        rawValue: "algid:sign:ECDSA:message-RFC4754:SHA384"
    )

    /// ECDSA, a signature of two plain numbers, over a message that is digested with SHA-512 first.
    public static let ecdsaSignatureMessageRFC4754SHA512 = SecKeyAlgorithm(
        rawValue: "algid:sign:ECDSA:message-RFC4754:SHA512"
    )

    /// ECDSA, a signature of two plain numbers, over a digest of any length. Deprecated by Apple in favour of
    /// `ecdsaSignatureDigestRFC4754`.
    public static let ecdsaSignatureRFC4754 = SecKeyAlgorithm(rawValue: "algid:sign:ECDSA:RFC4754")
}

// MARK: - RSA encryption

extension SecKeyAlgorithm {
    /// RSA over a block the caller padded.
    public static let rsaEncryptionRaw = SecKeyAlgorithm(rawValue: "algid:encrypt:RSA:raw")

    /// RSA, PKCS #1 v1.5 padding.
    public static let rsaEncryptionPKCS1 = SecKeyAlgorithm(rawValue: "algid:encrypt:RSA:PKCS1")

    /// RSA, OAEP padding with SHA-1.
    public static let rsaEncryptionOAEPSHA1 = SecKeyAlgorithm(rawValue: "algid:encrypt:RSA:OAEP:SHA1")

    /// RSA, OAEP padding with SHA-224.
    public static let rsaEncryptionOAEPSHA224 = SecKeyAlgorithm(rawValue: "algid:encrypt:RSA:OAEP:SHA224")

    /// RSA, OAEP padding with SHA-256.
    public static let rsaEncryptionOAEPSHA256 = SecKeyAlgorithm(rawValue: "algid:encrypt:RSA:OAEP:SHA256")

    /// RSA, OAEP padding with SHA-384.
    public static let rsaEncryptionOAEPSHA384 = SecKeyAlgorithm(rawValue: "algid:encrypt:RSA:OAEP:SHA384")

    /// RSA, OAEP padding with SHA-512.
    public static let rsaEncryptionOAEPSHA512 = SecKeyAlgorithm(rawValue: "algid:encrypt:RSA:OAEP:SHA512")

    /// RSA, OAEP padding with SHA-1, of a random key that encrypts the data with AES-GCM.
    public static let rsaEncryptionOAEPSHA1AESGCM = SecKeyAlgorithm(rawValue: "algid:encrypt:RSA:OAEP:SHA1:AESGCM")

    /// RSA, OAEP padding with SHA-224, of a random key that encrypts the data with AES-GCM.
    public static let rsaEncryptionOAEPSHA224AESGCM = SecKeyAlgorithm(rawValue: "algid:encrypt:RSA:OAEP:SHA224:AESGCM")

    /// RSA, OAEP padding with SHA-256, of a random key that encrypts the data with AES-GCM.
    public static let rsaEncryptionOAEPSHA256AESGCM = SecKeyAlgorithm(rawValue: "algid:encrypt:RSA:OAEP:SHA256:AESGCM")

    /// RSA, OAEP padding with SHA-384, of a random key that encrypts the data with AES-GCM.
    public static let rsaEncryptionOAEPSHA384AESGCM = SecKeyAlgorithm(rawValue: "algid:encrypt:RSA:OAEP:SHA384:AESGCM")

    /// RSA, OAEP padding with SHA-512, of a random key that encrypts the data with AES-GCM.
    public static let rsaEncryptionOAEPSHA512AESGCM = SecKeyAlgorithm(rawValue: "algid:encrypt:RSA:OAEP:SHA512:AESGCM")
}

// MARK: - ECIES encryption

extension SecKeyAlgorithm {
    /// ECIES: standard ECDH, key derived by X9.63 with SHA-1, AES-GCM.
    public static let eciesEncryptionStandardX963SHA1AESGCM = SecKeyAlgorithm(
        rawValue: "algid:encrypt:ECIES:ECDH:KDFX963:SHA1:AESGCM"
    )

    /// ECIES: standard ECDH, key derived by X9.63 with SHA-224, AES-GCM.
    public static let eciesEncryptionStandardX963SHA224AESGCM = SecKeyAlgorithm(
        rawValue: "algid:encrypt:ECIES:ECDH:KDFX963:SHA224:AESGCM"
    )

    /// ECIES: standard ECDH, key derived by X9.63 with SHA-256, AES-GCM.
    public static let eciesEncryptionStandardX963SHA256AESGCM = SecKeyAlgorithm(
        rawValue: "algid:encrypt:ECIES:ECDH:KDFX963:SHA256:AESGCM"
    )

    /// ECIES: standard ECDH, key derived by X9.63 with SHA-384, AES-GCM.
    public static let eciesEncryptionStandardX963SHA384AESGCM = SecKeyAlgorithm(
        rawValue: "algid:encrypt:ECIES:ECDH:KDFX963:SHA384:AESGCM"
    )

    /// ECIES: standard ECDH, key derived by X9.63 with SHA-512, AES-GCM.
    public static let eciesEncryptionStandardX963SHA512AESGCM = SecKeyAlgorithm(
        rawValue: "algid:encrypt:ECIES:ECDH:KDFX963:SHA512:AESGCM"
    )

    /// ECIES: cofactor ECDH, key derived by X9.63 with SHA-1, AES-GCM.
    public static let eciesEncryptionCofactorX963SHA1AESGCM = SecKeyAlgorithm(
        rawValue: "algid:encrypt:ECIES:ECDHC:KDFX963:SHA1:AESGCM"
    )

    /// ECIES: cofactor ECDH, key derived by X9.63 with SHA-224, AES-GCM.
    public static let eciesEncryptionCofactorX963SHA224AESGCM = SecKeyAlgorithm(
        rawValue: "algid:encrypt:ECIES:ECDHC:KDFX963:SHA224:AESGCM"
    )

    /// ECIES: cofactor ECDH, key derived by X9.63 with SHA-256, AES-GCM.
    public static let eciesEncryptionCofactorX963SHA256AESGCM = SecKeyAlgorithm(
        rawValue: "algid:encrypt:ECIES:ECDHC:KDFX963:SHA256:AESGCM"
    )

    /// ECIES: cofactor ECDH, key derived by X9.63 with SHA-384, AES-GCM.
    public static let eciesEncryptionCofactorX963SHA384AESGCM = SecKeyAlgorithm(
        rawValue: "algid:encrypt:ECIES:ECDHC:KDFX963:SHA384:AESGCM"
    )

    /// ECIES: cofactor ECDH, key derived by X9.63 with SHA-512, AES-GCM.
    public static let eciesEncryptionCofactorX963SHA512AESGCM = SecKeyAlgorithm(
        rawValue: "algid:encrypt:ECIES:ECDHC:KDFX963:SHA512:AESGCM"
    )

    /// ECIES: standard ECDH, key and nonce derived by X9.63 with SHA-224, AES-GCM.
    public static let eciesEncryptionStandardVariableIVX963SHA224AESGCM = SecKeyAlgorithm(
        rawValue: "algid:encrypt:ECIES:ECDH:KDFX963:SHA224:AESGCM-KDFIV"
    )

    /// ECIES: standard ECDH, key and nonce derived by X9.63 with SHA-256, AES-GCM.
    public static let eciesEncryptionStandardVariableIVX963SHA256AESGCM = SecKeyAlgorithm(
        rawValue: "algid:encrypt:ECIES:ECDH:KDFX963:SHA256:AESGCM-KDFIV"
    )

    /// ECIES: standard ECDH, key and nonce derived by X9.63 with SHA-384, AES-GCM.
    public static let eciesEncryptionStandardVariableIVX963SHA384AESGCM = SecKeyAlgorithm(
        rawValue: "algid:encrypt:ECIES:ECDH:KDFX963:SHA384:AESGCM-KDFIV"
    )

    /// ECIES: standard ECDH, key and nonce derived by X9.63 with SHA-512, AES-GCM.
    public static let eciesEncryptionStandardVariableIVX963SHA512AESGCM = SecKeyAlgorithm(
        rawValue: "algid:encrypt:ECIES:ECDH:KDFX963:SHA512:AESGCM-KDFIV"
    )

    /// ECIES: cofactor ECDH, key and nonce derived by X9.63 with SHA-224, AES-GCM.
    public static let eciesEncryptionCofactorVariableIVX963SHA224AESGCM = SecKeyAlgorithm(
        rawValue: "algid:encrypt:ECIES:ECDHC:KDFX963:SHA224:AESGCM-KDFIV"
    )

    /// ECIES: cofactor ECDH, key and nonce derived by X9.63 with SHA-256, AES-GCM.
    public static let eciesEncryptionCofactorVariableIVX963SHA256AESGCM = SecKeyAlgorithm(
        rawValue: "algid:encrypt:ECIES:ECDHC:KDFX963:SHA256:AESGCM-KDFIV"
    )

    /// ECIES: cofactor ECDH, key and nonce derived by X9.63 with SHA-384, AES-GCM.
    public static let eciesEncryptionCofactorVariableIVX963SHA384AESGCM = SecKeyAlgorithm(
        rawValue: "algid:encrypt:ECIES:ECDHC:KDFX963:SHA384:AESGCM-KDFIV"
    )

    /// ECIES: cofactor ECDH, key and nonce derived by X9.63 with SHA-512, AES-GCM.
    public static let eciesEncryptionCofactorVariableIVX963SHA512AESGCM = SecKeyAlgorithm(
        rawValue: "algid:encrypt:ECIES:ECDHC:KDFX963:SHA512:AESGCM-KDFIV"
    )
}

// MARK: - Key exchange

extension SecKeyAlgorithm {
    /// Standard ECDH; the shared secret as it is.
    public static let ecdhKeyExchangeStandard = SecKeyAlgorithm(rawValue: "algid:keyexchange:ECDH")

    /// Standard ECDH, then a key derived by X9.63 with SHA-1.
    public static let ecdhKeyExchangeStandardX963SHA1 = SecKeyAlgorithm(rawValue: "algid:keyexchange:ECDH:KDFX963:SHA1")

    /// Standard ECDH, then a key derived by X9.63 with SHA-224.
    public static let ecdhKeyExchangeStandardX963SHA224 = SecKeyAlgorithm(
        rawValue: "algid:keyexchange:ECDH:KDFX963:SHA224"
    )

    /// Standard ECDH, then a key derived by X9.63 with SHA-256.
    public static let ecdhKeyExchangeStandardX963SHA256 = SecKeyAlgorithm(
        rawValue: "algid:keyexchange:ECDH:KDFX963:SHA256"
    )

    /// Standard ECDH, then a key derived by X9.63 with SHA-384.
    public static let ecdhKeyExchangeStandardX963SHA384 = SecKeyAlgorithm(
        rawValue: "algid:keyexchange:ECDH:KDFX963:SHA384"
    )

    /// Standard ECDH, then a key derived by X9.63 with SHA-512.
    public static let ecdhKeyExchangeStandardX963SHA512 = SecKeyAlgorithm(
        rawValue: "algid:keyexchange:ECDH:KDFX963:SHA512"
    )

    /// Cofactor ECDH; the shared secret as it is.
    public static let ecdhKeyExchangeCofactor = SecKeyAlgorithm(rawValue: "algid:keyexchange:ECDHC")

    /// Cofactor ECDH, then a key derived by X9.63 with SHA-1.
    public static let ecdhKeyExchangeCofactorX963SHA1 = SecKeyAlgorithm(
        rawValue: "algid:keyexchange:ECDHC:KDFX963:SHA1"
    )

    /// Cofactor ECDH, then a key derived by X9.63 with SHA-224.
    public static let ecdhKeyExchangeCofactorX963SHA224 = SecKeyAlgorithm(
        rawValue: "algid:keyexchange:ECDHC:KDFX963:SHA224"
    )

    /// Cofactor ECDH, then a key derived by X9.63 with SHA-256.
    public static let ecdhKeyExchangeCofactorX963SHA256 = SecKeyAlgorithm(
        rawValue: "algid:keyexchange:ECDHC:KDFX963:SHA256"
    )

    /// Cofactor ECDH, then a key derived by X9.63 with SHA-384.
    public static let ecdhKeyExchangeCofactorX963SHA384 = SecKeyAlgorithm(
        rawValue: "algid:keyexchange:ECDHC:KDFX963:SHA384"
    )

    /// Cofactor ECDH, then a key derived by X9.63 with SHA-512.
    public static let ecdhKeyExchangeCofactorX963SHA512 = SecKeyAlgorithm(
        rawValue: "algid:keyexchange:ECDHC:KDFX963:SHA512"
    )
}

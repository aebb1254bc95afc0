#pragma GCC system_header
// SPDX-License-Identifier: Apache-2.0

// Made by Scripts/make-constants from Data: change it there.
//
// Keys: making, storing and using them.

#pragma once

#include <Security/SecBase.h>
#include <Security/SecItem.h>

CF_EXTERN_C_BEGIN
CF_ASSUME_NONNULL_BEGIN

// MARK: - Algorithms of the functions on keys

/// An algorithm for `SecKeyCreateSignature`, `SecKeyCreateEncryptedData` and the other functions on keys.
/// The value is Apple's identifier. An identifier that is not listed here makes a value that no key supports.
typedef CFStringRef SecKeyAlgorithm;

// RSA signatures

/// RSA over bytes the caller padded.
extern const SecKeyAlgorithm kSecKeyAlgorithmRSASignatureRaw;

/// RSA, PKCS #1 v1.5 padding, over bytes taken as they are.
extern const SecKeyAlgorithm kSecKeyAlgorithmRSASignatureDigestPKCS1v15Raw;

/// RSA, PKCS #1 v1.5 padding, over a SHA-1 digest.
extern const SecKeyAlgorithm kSecKeyAlgorithmRSASignatureDigestPKCS1v15SHA1;

/// RSA, PKCS #1 v1.5 padding, over a SHA-224 digest.
extern const SecKeyAlgorithm kSecKeyAlgorithmRSASignatureDigestPKCS1v15SHA224;

/// RSA, PKCS #1 v1.5 padding, over a SHA-256 digest.
extern const SecKeyAlgorithm kSecKeyAlgorithmRSASignatureDigestPKCS1v15SHA256;

/// RSA, PKCS #1 v1.5 padding, over a SHA-384 digest.
extern const SecKeyAlgorithm kSecKeyAlgorithmRSASignatureDigestPKCS1v15SHA384;

/// RSA, PKCS #1 v1.5 padding, over a SHA-512 digest.
extern const SecKeyAlgorithm kSecKeyAlgorithmRSASignatureDigestPKCS1v15SHA512;

/// RSA, PKCS #1 v1.5 padding, over a message that is digested with SHA-1 first.
extern const SecKeyAlgorithm kSecKeyAlgorithmRSASignatureMessagePKCS1v15SHA1;

/// RSA, PKCS #1 v1.5 padding, over a message that is digested with SHA-224 first.
extern const SecKeyAlgorithm kSecKeyAlgorithmRSASignatureMessagePKCS1v15SHA224;

/// RSA, PKCS #1 v1.5 padding, over a message that is digested with SHA-256 first.
extern const SecKeyAlgorithm kSecKeyAlgorithmRSASignatureMessagePKCS1v15SHA256;

/// RSA, PKCS #1 v1.5 padding, over a message that is digested with SHA-384 first.
extern const SecKeyAlgorithm kSecKeyAlgorithmRSASignatureMessagePKCS1v15SHA384;

/// RSA, PKCS #1 v1.5 padding, over a message that is digested with SHA-512 first.
extern const SecKeyAlgorithm kSecKeyAlgorithmRSASignatureMessagePKCS1v15SHA512;

/// RSA, PSS padding, over a SHA-1 digest.
extern const SecKeyAlgorithm kSecKeyAlgorithmRSASignatureDigestPSSSHA1;

/// RSA, PSS padding, over a SHA-224 digest.
extern const SecKeyAlgorithm kSecKeyAlgorithmRSASignatureDigestPSSSHA224;

/// RSA, PSS padding, over a SHA-256 digest.
extern const SecKeyAlgorithm kSecKeyAlgorithmRSASignatureDigestPSSSHA256;

/// RSA, PSS padding, over a SHA-384 digest.
extern const SecKeyAlgorithm kSecKeyAlgorithmRSASignatureDigestPSSSHA384;

/// RSA, PSS padding, over a SHA-512 digest.
extern const SecKeyAlgorithm kSecKeyAlgorithmRSASignatureDigestPSSSHA512;

/// RSA, PSS padding, over a message that is digested with SHA-1 first.
extern const SecKeyAlgorithm kSecKeyAlgorithmRSASignatureMessagePSSSHA1;

/// RSA, PSS padding, over a message that is digested with SHA-224 first.
extern const SecKeyAlgorithm kSecKeyAlgorithmRSASignatureMessagePSSSHA224;

/// RSA, PSS padding, over a message that is digested with SHA-256 first.
extern const SecKeyAlgorithm kSecKeyAlgorithmRSASignatureMessagePSSSHA256;

/// RSA, PSS padding, over a message that is digested with SHA-384 first.
extern const SecKeyAlgorithm kSecKeyAlgorithmRSASignatureMessagePSSSHA384;

/// RSA, PSS padding, over a message that is digested with SHA-512 first.
extern const SecKeyAlgorithm kSecKeyAlgorithmRSASignatureMessagePSSSHA512;

// ECDSA signatures

/// ECDSA, a DER encoded signature, over a digest of any length.
extern const SecKeyAlgorithm kSecKeyAlgorithmECDSASignatureDigestX962;

/// ECDSA, a DER encoded signature, over a SHA-1 digest.
extern const SecKeyAlgorithm kSecKeyAlgorithmECDSASignatureDigestX962SHA1;

/// ECDSA, a DER encoded signature, over a SHA-224 digest.
extern const SecKeyAlgorithm kSecKeyAlgorithmECDSASignatureDigestX962SHA224;

/// ECDSA, a DER encoded signature, over a SHA-256 digest.
extern const SecKeyAlgorithm kSecKeyAlgorithmECDSASignatureDigestX962SHA256;

/// ECDSA, a DER encoded signature, over a SHA-384 digest.
extern const SecKeyAlgorithm kSecKeyAlgorithmECDSASignatureDigestX962SHA384;

/// ECDSA, a DER encoded signature, over a SHA-512 digest.
extern const SecKeyAlgorithm kSecKeyAlgorithmECDSASignatureDigestX962SHA512;

/// ECDSA, a DER encoded signature, over a message that is digested with SHA-1 first.
extern const SecKeyAlgorithm kSecKeyAlgorithmECDSASignatureMessageX962SHA1;

/// ECDSA, a DER encoded signature, over a message that is digested with SHA-224 first.
extern const SecKeyAlgorithm kSecKeyAlgorithmECDSASignatureMessageX962SHA224;

/// ECDSA, a DER encoded signature, over a message that is digested with SHA-256 first.
extern const SecKeyAlgorithm kSecKeyAlgorithmECDSASignatureMessageX962SHA256;

/// ECDSA, a DER encoded signature, over a message that is digested with SHA-384 first.
extern const SecKeyAlgorithm kSecKeyAlgorithmECDSASignatureMessageX962SHA384;

/// ECDSA, a DER encoded signature, over a message that is digested with SHA-512 first.
extern const SecKeyAlgorithm kSecKeyAlgorithmECDSASignatureMessageX962SHA512;

/// ECDSA, a signature of two plain numbers, over a digest of any length.
extern const SecKeyAlgorithm kSecKeyAlgorithmECDSASignatureDigestRFC4754;

/// ECDSA, a signature of two plain numbers, over a SHA-1 digest.
extern const SecKeyAlgorithm kSecKeyAlgorithmECDSASignatureDigestRFC4754SHA1;

/// ECDSA, a signature of two plain numbers, over a SHA-224 digest.
extern const SecKeyAlgorithm kSecKeyAlgorithmECDSASignatureDigestRFC4754SHA224;

/// ECDSA, a signature of two plain numbers, over a SHA-256 digest.
extern const SecKeyAlgorithm kSecKeyAlgorithmECDSASignatureDigestRFC4754SHA256;

/// ECDSA, a signature of two plain numbers, over a SHA-384 digest.
extern const SecKeyAlgorithm kSecKeyAlgorithmECDSASignatureDigestRFC4754SHA384;

/// ECDSA, a signature of two plain numbers, over a SHA-512 digest.
extern const SecKeyAlgorithm kSecKeyAlgorithmECDSASignatureDigestRFC4754SHA512;

/// ECDSA, a signature of two plain numbers, over a message that is digested with SHA-1 first.
extern const SecKeyAlgorithm kSecKeyAlgorithmECDSASignatureMessageRFC4754SHA1;

/// ECDSA, a signature of two plain numbers, over a message that is digested with SHA-224 first.
extern const SecKeyAlgorithm kSecKeyAlgorithmECDSASignatureMessageRFC4754SHA224;

/// ECDSA, a signature of two plain numbers, over a message that is digested with SHA-256 first.
extern const SecKeyAlgorithm kSecKeyAlgorithmECDSASignatureMessageRFC4754SHA256;

/// ECDSA, a signature of two plain numbers, over a message that is digested with SHA-384 first.
extern const SecKeyAlgorithm kSecKeyAlgorithmECDSASignatureMessageRFC4754SHA384;

/// ECDSA, a signature of two plain numbers, over a message that is digested with SHA-512 first.
extern const SecKeyAlgorithm kSecKeyAlgorithmECDSASignatureMessageRFC4754SHA512;

/// ECDSA, a signature of two plain numbers, over a digest of any length. Deprecated by Apple in favour of
/// `kSecKeyAlgorithmECDSASignatureDigestRFC4754`.
extern const SecKeyAlgorithm kSecKeyAlgorithmECDSASignatureRFC4754;

// RSA encryption

/// RSA over a block the caller padded.
extern const SecKeyAlgorithm kSecKeyAlgorithmRSAEncryptionRaw;

/// RSA, PKCS #1 v1.5 padding.
extern const SecKeyAlgorithm kSecKeyAlgorithmRSAEncryptionPKCS1;

/// RSA, OAEP padding with SHA-1.
extern const SecKeyAlgorithm kSecKeyAlgorithmRSAEncryptionOAEPSHA1;

/// RSA, OAEP padding with SHA-224.
extern const SecKeyAlgorithm kSecKeyAlgorithmRSAEncryptionOAEPSHA224;

/// RSA, OAEP padding with SHA-256.
extern const SecKeyAlgorithm kSecKeyAlgorithmRSAEncryptionOAEPSHA256;

/// RSA, OAEP padding with SHA-384.
extern const SecKeyAlgorithm kSecKeyAlgorithmRSAEncryptionOAEPSHA384;

/// RSA, OAEP padding with SHA-512.
extern const SecKeyAlgorithm kSecKeyAlgorithmRSAEncryptionOAEPSHA512;

/// RSA, OAEP padding with SHA-1, of a random key that encrypts the data with AES-GCM.
extern const SecKeyAlgorithm kSecKeyAlgorithmRSAEncryptionOAEPSHA1AESGCM;

/// RSA, OAEP padding with SHA-224, of a random key that encrypts the data with AES-GCM.
extern const SecKeyAlgorithm kSecKeyAlgorithmRSAEncryptionOAEPSHA224AESGCM;

/// RSA, OAEP padding with SHA-256, of a random key that encrypts the data with AES-GCM.
extern const SecKeyAlgorithm kSecKeyAlgorithmRSAEncryptionOAEPSHA256AESGCM;

/// RSA, OAEP padding with SHA-384, of a random key that encrypts the data with AES-GCM.
extern const SecKeyAlgorithm kSecKeyAlgorithmRSAEncryptionOAEPSHA384AESGCM;

/// RSA, OAEP padding with SHA-512, of a random key that encrypts the data with AES-GCM.
extern const SecKeyAlgorithm kSecKeyAlgorithmRSAEncryptionOAEPSHA512AESGCM;

// ECIES encryption

/// ECIES: standard ECDH, key derived by X9.63 with SHA-1, AES-GCM.
extern const SecKeyAlgorithm kSecKeyAlgorithmECIESEncryptionStandardX963SHA1AESGCM;

/// ECIES: standard ECDH, key derived by X9.63 with SHA-224, AES-GCM.
extern const SecKeyAlgorithm kSecKeyAlgorithmECIESEncryptionStandardX963SHA224AESGCM;

/// ECIES: standard ECDH, key derived by X9.63 with SHA-256, AES-GCM.
extern const SecKeyAlgorithm kSecKeyAlgorithmECIESEncryptionStandardX963SHA256AESGCM;

/// ECIES: standard ECDH, key derived by X9.63 with SHA-384, AES-GCM.
extern const SecKeyAlgorithm kSecKeyAlgorithmECIESEncryptionStandardX963SHA384AESGCM;

/// ECIES: standard ECDH, key derived by X9.63 with SHA-512, AES-GCM.
extern const SecKeyAlgorithm kSecKeyAlgorithmECIESEncryptionStandardX963SHA512AESGCM;

/// ECIES: cofactor ECDH, key derived by X9.63 with SHA-1, AES-GCM.
extern const SecKeyAlgorithm kSecKeyAlgorithmECIESEncryptionCofactorX963SHA1AESGCM;

/// ECIES: cofactor ECDH, key derived by X9.63 with SHA-224, AES-GCM.
extern const SecKeyAlgorithm kSecKeyAlgorithmECIESEncryptionCofactorX963SHA224AESGCM;

/// ECIES: cofactor ECDH, key derived by X9.63 with SHA-256, AES-GCM.
extern const SecKeyAlgorithm kSecKeyAlgorithmECIESEncryptionCofactorX963SHA256AESGCM;

/// ECIES: cofactor ECDH, key derived by X9.63 with SHA-384, AES-GCM.
extern const SecKeyAlgorithm kSecKeyAlgorithmECIESEncryptionCofactorX963SHA384AESGCM;

/// ECIES: cofactor ECDH, key derived by X9.63 with SHA-512, AES-GCM.
extern const SecKeyAlgorithm kSecKeyAlgorithmECIESEncryptionCofactorX963SHA512AESGCM;

/// ECIES: standard ECDH, key and nonce derived by X9.63 with SHA-224, AES-GCM.
extern const SecKeyAlgorithm kSecKeyAlgorithmECIESEncryptionStandardVariableIVX963SHA224AESGCM;

/// ECIES: standard ECDH, key and nonce derived by X9.63 with SHA-256, AES-GCM.
extern const SecKeyAlgorithm kSecKeyAlgorithmECIESEncryptionStandardVariableIVX963SHA256AESGCM;

/// ECIES: standard ECDH, key and nonce derived by X9.63 with SHA-384, AES-GCM.
extern const SecKeyAlgorithm kSecKeyAlgorithmECIESEncryptionStandardVariableIVX963SHA384AESGCM;

/// ECIES: standard ECDH, key and nonce derived by X9.63 with SHA-512, AES-GCM.
extern const SecKeyAlgorithm kSecKeyAlgorithmECIESEncryptionStandardVariableIVX963SHA512AESGCM;

/// ECIES: cofactor ECDH, key and nonce derived by X9.63 with SHA-224, AES-GCM.
extern const SecKeyAlgorithm kSecKeyAlgorithmECIESEncryptionCofactorVariableIVX963SHA224AESGCM;

/// ECIES: cofactor ECDH, key and nonce derived by X9.63 with SHA-256, AES-GCM.
extern const SecKeyAlgorithm kSecKeyAlgorithmECIESEncryptionCofactorVariableIVX963SHA256AESGCM;

/// ECIES: cofactor ECDH, key and nonce derived by X9.63 with SHA-384, AES-GCM.
extern const SecKeyAlgorithm kSecKeyAlgorithmECIESEncryptionCofactorVariableIVX963SHA384AESGCM;

/// ECIES: cofactor ECDH, key and nonce derived by X9.63 with SHA-512, AES-GCM.
extern const SecKeyAlgorithm kSecKeyAlgorithmECIESEncryptionCofactorVariableIVX963SHA512AESGCM;

// Key exchange

/// Standard ECDH; the shared secret as it is.
extern const SecKeyAlgorithm kSecKeyAlgorithmECDHKeyExchangeStandard;

/// Standard ECDH, then a key derived by X9.63 with SHA-1.
extern const SecKeyAlgorithm kSecKeyAlgorithmECDHKeyExchangeStandardX963SHA1;

/// Standard ECDH, then a key derived by X9.63 with SHA-224.
extern const SecKeyAlgorithm kSecKeyAlgorithmECDHKeyExchangeStandardX963SHA224;

/// Standard ECDH, then a key derived by X9.63 with SHA-256.
extern const SecKeyAlgorithm kSecKeyAlgorithmECDHKeyExchangeStandardX963SHA256;

/// Standard ECDH, then a key derived by X9.63 with SHA-384.
extern const SecKeyAlgorithm kSecKeyAlgorithmECDHKeyExchangeStandardX963SHA384;

/// Standard ECDH, then a key derived by X9.63 with SHA-512.
extern const SecKeyAlgorithm kSecKeyAlgorithmECDHKeyExchangeStandardX963SHA512;

/// Cofactor ECDH; the shared secret as it is.
extern const SecKeyAlgorithm kSecKeyAlgorithmECDHKeyExchangeCofactor;

/// Cofactor ECDH, then a key derived by X9.63 with SHA-1.
extern const SecKeyAlgorithm kSecKeyAlgorithmECDHKeyExchangeCofactorX963SHA1;

/// Cofactor ECDH, then a key derived by X9.63 with SHA-224.
extern const SecKeyAlgorithm kSecKeyAlgorithmECDHKeyExchangeCofactorX963SHA224;

/// Cofactor ECDH, then a key derived by X9.63 with SHA-256.
extern const SecKeyAlgorithm kSecKeyAlgorithmECDHKeyExchangeCofactorX963SHA256;

/// Cofactor ECDH, then a key derived by X9.63 with SHA-384.
extern const SecKeyAlgorithm kSecKeyAlgorithmECDHKeyExchangeCofactorX963SHA384;

/// Cofactor ECDH, then a key derived by X9.63 with SHA-512.
extern const SecKeyAlgorithm kSecKeyAlgorithmECDHKeyExchangeCofactorX963SHA512;

// MARK: - Keys of the parameter dictionary of `SecKeyCopyKeyExchangeResult`

/// A parameter of a key exchange.
typedef CFStringRef SecKeyKeyExchangeParameter;

/// How many bytes to derive. Number.
extern const SecKeyKeyExchangeParameter kSecKeyKeyExchangeParameterRequestedSize;

/// Bytes that both parties mix into the derivation. Data.
extern const SecKeyKeyExchangeParameter kSecKeyKeyExchangeParameterSharedInfo;

// MARK: - Numbers of the attributes of a key in a macOS file keychain

CF_ENUM(int32_t) {
    /// Public, private or session key.
    kSecKeyKeyClass = 0,
    /// The name people see.
    kSecKeyPrintName = 1,
    /// Unused.
    kSecKeyAlias = 2,
    /// Whether the key is kept.
    kSecKeyPermanent = 3,
    /// Whether the key is private to its module.
    kSecKeyPrivate = 4,
    /// Whether the attributes can be changed.
    kSecKeyModifiable = 5,
    /// The label programs search for; the hash of the public key.
    kSecKeyLabel = 6,
    /// A tag of the application's.
    kSecKeyApplicationTag = 7,
    /// Which module made the key.
    kSecKeyKeyCreator = 8,
    /// The algorithm family.
    kSecKeyKeyType = 9,
    /// The size in bits.
    kSecKeyKeySizeInBits = 10,
    /// The number of bits that add strength.
    kSecKeyEffectiveKeySize = 11,
    /// When the key becomes valid.
    kSecKeyStartDate = 12,
    /// When the key expires.
    kSecKeyEndDate = 13,
    /// Whether the key leaves in encrypted form only.
    kSecKeySensitive = 14,
    /// Whether the key was sensitive from the start.
    kSecKeyAlwaysSensitive = 15,
    /// Whether the key may leave.
    kSecKeyExtractable = 16,
    /// Whether the key could never leave.
    kSecKeyNeverExtractable = 17,
    /// Whether the key may encrypt.
    kSecKeyEncrypt = 18,
    /// Whether the key may decrypt.
    kSecKeyDecrypt = 19,
    /// Whether other keys may be derived.
    kSecKeyDerive = 20,
    /// Whether the key may sign.
    kSecKeySign = 21,
    /// Whether the key may verify.
    kSecKeyVerify = 22,
    /// Whether the key may sign so that the message can be recovered.
    kSecKeySignRecover = 23,
    /// Whether the key may verify such a signature.
    kSecKeyVerifyRecover = 24,
    /// Whether the key may wrap another.
    kSecKeyWrap = 25,
    /// Whether the key may unwrap another.
    kSecKeyUnwrap = 26,
};

// MARK: - What keys do, how blocks are padded, and how long keys are

/// An operation a key may be asked to support.
typedef CF_ENUM(CFIndex, SecKeyOperationType) {
    /// Make a signature.
    kSecKeyOperationTypeSign = 0,
    /// Verify a signature.
    kSecKeyOperationTypeVerify = 1,
    /// Encrypt.
    kSecKeyOperationTypeEncrypt = 2,
    /// Decrypt.
    kSecKeyOperationTypeDecrypt = 3,
    /// Agree on a secret with the holder of another key.
    kSecKeyOperationTypeKeyExchange = 4,
};

/// Whether the use of a key in a macOS file keychain may ask the user. Deprecated by Apple.
typedef CF_ENUM(uint32_t, SecCredentialType) {
    /// As the system is set up.
    kSecCredentialTypeDefault = 0,
    /// The user may be asked.
    kSecCredentialTypeWithUI = 1,
    /// The user is not asked.
    kSecCredentialTypeNoUI = 2,
};

/// The padding of the older functions on RSA keys. Deprecated by Apple in favour of `SecKeyAlgorithm`.
typedef CF_OPTIONS(uint32_t, SecPadding) {
    /// No flag at all.
    kSecPaddingNone = 0,
    /// PKCS #1 v1.5.
    kSecPaddingPKCS1 = 1u << 0,
    /// OAEP.
    kSecPaddingOAEP = 1u << 1,
    /// A signature of plain numbers instead of DER.
    kSecPaddingSigRaw = 1u << 14,
    /// PKCS #1 v1.5 over a digest of MD2.
    kSecPaddingPKCS1MD2 = 1u << 15,
    /// PKCS #1 v1.5 over a digest of MD5.
    kSecPaddingPKCS1MD5 = 0x8001,
    /// PKCS #1 v1.5 over a digest of SHA-1.
    kSecPaddingPKCS1SHA1 = 0x8002,
    /// PKCS #1 v1.5 over a digest of SHA-224.
    kSecPaddingPKCS1SHA224 = 0x8003,
    /// PKCS #1 v1.5 over a digest of SHA-256.
    kSecPaddingPKCS1SHA256 = 0x8004,
    /// PKCS #1 v1.5 over a digest of SHA-384.
    kSecPaddingPKCS1SHA384 = 0x8005,
    /// PKCS #1 v1.5 over a digest of SHA-512.
    kSecPaddingPKCS1SHA512 = 0x8006,
};

/// Common sizes of keys in bits. Deprecated by Apple.
typedef CF_ENUM(uint32_t, SecKeySizes) {
    /// The size a key type has by default.
    kSecDefaultKeySize = 0,
    /// Triple DES.
    kSec3DES192 = 192,
    /// AES with 128 bits.
    kSecAES128 = 128,
    /// AES with 256 bits.
    kSecAES256 = 256,
    /// The curve P-384.
    kSecp384r1 = 384,
    /// The curve P-521.
    kSecp521r1 = 521,
    /// The smallest RSA key.
    kSecRSAMin = 1024,
    /// The largest RSA key.
    kSecRSAMax = 4096,
    /// AES with 192 bits.
    kSecAES192 = 192,
    /// The curve P-192.
    kSecp192r1 = 192,
    /// The curve P-256.
    kSecp256r1 = 256,
};

/// Gives the identifier of the type, to compare with the result of `CFGetTypeID`.
CFTypeID SecKeyGetTypeID(void);

#if defined(__BLOCKS__)
/// Receives new keys, or an error.
typedef void (^SecKeyGeneratePairBlock)(SecKeyRef _Nullable publicKey, SecKeyRef _Nullable privateKey, CFErrorRef _Nullable error);
#endif

/// Makes a new private key, and stores it if `kSecAttrIsPermanent` is true.
SecKeyRef _Nullable SecKeyCreateRandomKey(CFDictionaryRef parameters, CFErrorRef _Nullable *_Nullable error);

/// Makes a key of its external representation.
SecKeyRef _Nullable SecKeyCreateWithData(CFDataRef keyData, CFDictionaryRef attributes, CFErrorRef _Nullable *_Nullable error);

/// An older form of `SecKeyCreateWithData`.
SecKeyRef _Nullable SecKeyCreateFromData(CFDictionaryRef parameters, CFDataRef keyData, CFErrorRef _Nullable *_Nullable error);

/// Makes a new pair of keys.
OSStatus SecKeyGeneratePair(CFDictionaryRef parameters, SecKeyRef _Nullable *_Nullable publicKey, SecKeyRef _Nullable *_Nullable privateKey);

#if defined(__BLOCKS__)
/// Makes a new pair of keys, and calls the block on the queue. The keys stay the library's.
void SecKeyGeneratePairAsync(CFDictionaryRef parameters, dispatch_queue_t deliveryQueue, SecKeyGeneratePairBlock result);
#endif

/// Gives the public half of a key.
SecKeyRef _Nullable SecKeyCopyPublicKey(SecKeyRef key);

/// Gives the bytes of a key: PKCS #1 for RSA, ANSI X9.63 for curves.
CFDataRef _Nullable SecKeyCopyExternalRepresentation(SecKeyRef key, CFErrorRef _Nullable *_Nullable error);

/// Describes a key with the keys `kSecAttr…`. Truth values are `kCFBooleanTrue` and `kCFBooleanFalse`.
CFDictionaryRef _Nullable SecKeyCopyAttributes(SecKeyRef key);

/// Gives the length of a block of the key in bytes.
size_t SecKeyGetBlockSize(SecKeyRef key);

/// Signs data, or a digest, as the algorithm says.
CFDataRef _Nullable SecKeyCreateSignature(SecKeyRef key, SecKeyAlgorithm algorithm, CFDataRef dataToSign, CFErrorRef _Nullable *_Nullable error);

/// Tells whether a signature is valid.
Boolean SecKeyVerifySignature(SecKeyRef key, SecKeyAlgorithm algorithm, CFDataRef signedData, CFDataRef signature, CFErrorRef _Nullable *_Nullable error);

/// Encrypts data with a public key.
CFDataRef _Nullable SecKeyCreateEncryptedData(SecKeyRef key, SecKeyAlgorithm algorithm, CFDataRef plaintext, CFErrorRef _Nullable *_Nullable error);

/// Decrypts data with a private key.
CFDataRef _Nullable SecKeyCreateDecryptedData(SecKeyRef key, SecKeyAlgorithm algorithm, CFDataRef ciphertext, CFErrorRef _Nullable *_Nullable error);

/// Agrees on a secret with the owner of another key.
CFDataRef _Nullable SecKeyCopyKeyExchangeResult(SecKeyRef privateKey, SecKeyAlgorithm algorithm, SecKeyRef publicKey, CFDictionaryRef parameters, CFErrorRef _Nullable *_Nullable error);

/// Tells whether a key can be used with an algorithm.
Boolean SecKeyIsAlgorithmSupported(SecKeyRef key, SecKeyOperationType operation, SecKeyAlgorithm algorithm);

/// An older form of `SecKeyCreateSignature`. `sigLen` has the size of the buffer, and receives the length of the
/// signature.
OSStatus SecKeyRawSign(SecKeyRef key, SecPadding padding, const uint8_t *dataToSign, size_t dataToSignLen, uint8_t *sig, size_t *sigLen);

/// An older form of `SecKeyVerifySignature`.
OSStatus SecKeyRawVerify(SecKeyRef key, SecPadding padding, const uint8_t *signedData, size_t signedDataLen, const uint8_t *sig, size_t sigLen);

/// An older form of `SecKeyCreateEncryptedData`.
OSStatus SecKeyEncrypt(SecKeyRef key, SecPadding padding, const uint8_t *plainText, size_t plainTextLen, uint8_t *cipherText, size_t *cipherTextLen);

/// An older form of `SecKeyCreateDecryptedData`.
OSStatus SecKeyDecrypt(SecKeyRef key, SecPadding padding, const uint8_t *cipherText, size_t cipherTextLen, uint8_t *plainText, size_t *plainTextLen);

CF_ASSUME_NONNULL_END
CF_EXTERN_C_END

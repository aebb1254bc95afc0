// SPDX-License-Identifier: Apache-2.0

/// Symmetric ciphers.
///
/// AES, DES and triple DES need OpenSSL 3. CAST, RC4, RC2 and Blowfish also need its legacy module.
/// Calls for a missing cipher return `kCCUnimplemented`.

#ifndef COMMONCRYPTO_COMMONCRYPTOR_H
#define COMMONCRYPTO_COMMONCRYPTOR_H

#include <CommonCrypto/CommonCryptoError.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A running encryption or decryption, with its key. Only one thread at a time may use it.
typedef struct _CCCryptor *CCCryptorRef;

enum {
    /// Encrypt.
    kCCEncrypt = 0,
    /// Decrypt.
    kCCDecrypt,
};

/// The direction.
typedef uint32_t CCOperation;

enum {
    /// AES with a key of 16, 24 or 32 bytes.
    kCCAlgorithmAES128 = 0,
    /// AES with a key of 16, 24 or 32 bytes.
    kCCAlgorithmAES = 0,
    /// DES. It is broken: an attacker can try all keys.
    kCCAlgorithmDES,
    /// Triple DES with three keys.
    kCCAlgorithm3DES,
    /// CAST-128.
    kCCAlgorithmCAST,
    /// RC4, a stream cipher. It is broken.
    kCCAlgorithmRC4,
    /// RC2. All bits of the key count: the number of effective bits is that of the key.
    kCCAlgorithmRC2,
    /// Blowfish.
    kCCAlgorithmBlowfish,
};

/// A cipher.
typedef uint32_t CCAlgorithm;

enum {
    /// Pads the last block (PKCS #7), so that data of any length can be encrypted.
    kCCOptionPKCS7Padding = 0x0001,
    /// Encrypts each block independently. Without this option, blocks are chained (CBC).
    kCCOptionECBMode = 0x0002,
};

/// Options of a cipher, combined as bits.
typedef uint32_t CCOptions;

/// The lengths of keys in bytes.
enum {
    kCCKeySizeAES128 = 16,
    kCCKeySizeAES192 = 24,
    kCCKeySizeAES256 = 32,
    kCCKeySizeDES = 8,
    kCCKeySize3DES = 24,
    kCCKeySizeMinCAST = 5,
    kCCKeySizeMaxCAST = 16,
    kCCKeySizeMinRC4 = 1,
    kCCKeySizeMaxRC4 = 512,
    kCCKeySizeMinRC2 = 1,
    kCCKeySizeMaxRC2 = 128,
    kCCKeySizeMinBlowfish = 8,
    kCCKeySizeMaxBlowfish = 56,
};

/// The lengths of blocks, and of initialization vectors, in bytes.
enum {
    kCCBlockSizeAES128 = 16,
    kCCBlockSizeDES = 8,
    kCCBlockSize3DES = 8,
    kCCBlockSizeCAST = 8,
    kCCBlockSizeRC2 = 8,
    kCCBlockSizeBlowfish = 8,
};

/// The memory for `CCCryptorCreateFromData`, in bytes.
enum {
    kCCContextSizeAES128 = 404,
    kCCContextSizeDES = 240,
    kCCContextSize3DES = 496,
    kCCContextSizeCAST = 240,
    kCCContextSizeRC4 = 1072,
};

enum {
    /// Each block independently.
    kCCModeECB = 1,
    /// Chained blocks.
    kCCModeCBC = 2,
    /// A stream cipher that feeds back whole blocks.
    kCCModeCFB = 3,
    /// A stream cipher that encrypts a counter. The counter is a whole block, most significant byte first.
    kCCModeCTR = 4,
    /// A stream cipher whose key stream does not depend on the data.
    kCCModeOFB = 7,
    /// RC4, which has no other mode.
    kCCModeRC4 = 9,
    /// A stream cipher that feeds back single bytes.
    kCCModeCFB8 = 10,
};

/// The mode of a block cipher. Only AES has `kCCModeCTR`.
typedef uint32_t CCMode;

enum {
    /// No padding: the data must be whole blocks.
    ccNoPadding = 0,
    /// As `kCCOptionPKCS7Padding`. Stream ciphers never pad.
    ccPKCS7Padding = 1,
};

/// How to pad the last block.
typedef uint32_t CCPadding;

enum {
    /// The counter's most significant byte comes first. This is always the case.
    kCCModeOptionCTR_BE = 2,
};

/// Ignored.
typedef uint32_t CCModeOptions;

/// Creates a cryptor that chains blocks (CBC), or, with `kCCOptionECBMode`, encrypts each block independently.
///
/// @param op The direction.
/// @param alg The cipher.
/// @param options The cipher's options.
/// @param key The key.
/// @param keyLength The length of the key in bytes.
/// @param iv The initialization vector, as long as a block; all zeros if it is null.
/// @param cryptorRef Receives the cryptor, to release with `CCCryptorRelease`; null after an error.
/// @return `kCCSuccess`; `kCCParamError` if a number is unknown or a pointer is missing; `kCCKeySizeError`;
///     `kCCUnimplemented` if the cipher is not available; `kCCMemoryFailure`.
CCCryptorStatus CCCryptorCreate(
    CCOperation op, CCAlgorithm alg, CCOptions options, const void *key, size_t keyLength, const void *iv,
    CCCryptorRef *cryptorRef);

/// Creates a cryptor. Does not use the caller's memory, but requires it, as on Apple's platforms.
///
/// @param op The direction.
/// @param alg The cipher.
/// @param options The cipher's options.
/// @param key The key.
/// @param keyLength The length of the key in bytes.
/// @param iv The initialization vector, as long as a block; all zeros if it is null.
/// @param data The caller's memory.
/// @param dataLength The length of the caller's memory in bytes.
/// @param cryptorRef Receives the cryptor, to release with `CCCryptorRelease`.
/// @param dataUsed Receives the number of bytes needed; may be null.
/// @return As `CCCryptorCreate`, or `kCCBufferTooSmall` if the memory is missing or too small.
CCCryptorStatus CCCryptorCreateFromData(
    CCOperation op, CCAlgorithm alg, CCOptions options, const void *key, size_t keyLength, const void *iv,
    const void *data, size_t dataLength, CCCryptorRef *cryptorRef, size_t *dataUsed);

/// Creates a cryptor with a mode.
///
/// @param op The direction.
/// @param mode The mode. Ignored for RC4.
/// @param alg The cipher.
/// @param padding How to pad the last block.
/// @param iv The initialization vector, as long as a block; all zeros if it is null.
/// @param key The key.
/// @param keyLength The length of the key in bytes.
/// @param tweak Ignored.
/// @param tweakLength Ignored.
/// @param numRounds Ignored.
/// @param options Ignored.
/// @param cryptorRef Receives the cryptor, to release with `CCCryptorRelease`; null after an error.
/// @return As `CCCryptorCreate`.
CCCryptorStatus CCCryptorCreateWithMode(
    CCOperation op, CCMode mode, CCAlgorithm alg, CCPadding padding, const void *iv, const void *key,
    size_t keyLength, const void *tweak, size_t tweakLength, int numRounds, CCModeOptions options,
    CCCryptorRef *cryptorRef);

/// Wipes and frees a cryptor.
///
/// @param cryptorRef The cryptor, or null.
/// @return `kCCSuccess`.
CCCryptorStatus CCCryptorRelease(CCCryptorRef cryptorRef);

/// Encrypts or decrypts more data. Bytes that do not fill a block are held back. Decryption with padding also holds
/// back the last block.
///
/// @param cryptorRef The cryptor.
/// @param dataIn The data. It may overlap the output.
/// @param dataInLength The length of the data in bytes.
/// @param dataOut Receives the result.
/// @param dataOutAvailable The room for the result in bytes.
/// @param dataOutMoved Receives the number of bytes written, or, if the room is too small, the number needed; may be
///     null.
/// @return `kCCSuccess`; `kCCBufferTooSmall`, which changes nothing; `kCCParamError` if a pointer is missing;
///     `kCCMemoryFailure`; `kCCCallSequenceError` after `CCCryptorFinal` returned `kCCDecodeError` or
///     `kCCBufferTooSmall`; `kCCUnspecifiedError` if OpenSSL fails.
CCCryptorStatus CCCryptorUpdate(
    CCCryptorRef cryptorRef, const void *dataIn, size_t dataInLength, void *dataOut, size_t dataOutAvailable,
    size_t *dataOutMoved);

/// Encrypts or decrypts the bytes that were held back.
///
/// @param cryptorRef The cryptor. Null is not an error, as on Apple's platforms.
/// @param dataOut Receives the result.
/// @param dataOutAvailable The room for the result in bytes.
/// @param dataOutMoved Receives the number of bytes written, or, if the room is too small, the number needed; may be
///     null.
/// @return `kCCSuccess`; `kCCBufferTooSmall`, after which the call can be repeated with more room; `kCCParamError` if a
///     pointer is missing; `kCCAlignmentError` if the data was not whole blocks; `kCCDecodeError` if the data does not
///     end with padding; `kCCCallSequenceError` after `kCCDecodeError`. Apple documents `kCCDecodeError`, but its
///     present implementation returns success with meaningless bytes instead.
CCCryptorStatus CCCryptorFinal(CCCryptorRef cryptorRef, void *dataOut, size_t dataOutAvailable, size_t *dataOutMoved);

/// The room that a call needs.
///
/// @param cryptorRef The cryptor.
/// @param inputLength The length of the data in bytes.
/// @param final Whether to include the output of `CCCryptorFinal` after this data.
/// @return The number of bytes; 0 if there is no cryptor.
size_t CCCryptorGetOutputLength(CCCryptorRef cryptorRef, size_t inputLength, bool final);

/// Starts again with the same key.
///
/// @param cryptorRef The cryptor. Its mode must be `kCCModeCBC` or `kCCModeCTR`.
/// @param iv The initialization vector, as long as a block; all zeros if it is null.
/// @return `kCCSuccess`; `kCCUnimplemented` for another mode; `kCCParamError` if there is no cryptor;
///     `kCCUnspecifiedError` if OpenSSL fails.
CCCryptorStatus CCCryptorReset(CCCryptorRef cryptorRef, const void *iv);

/// Encrypts or decrypts data in one call.
///
/// @param op The direction.
/// @param alg The cipher.
/// @param options The cipher's options.
/// @param key The key.
/// @param keyLength The length of the key in bytes.
/// @param iv The initialization vector, as long as a block; all zeros if it is null.
/// @param dataIn The data. It may overlap the output.
/// @param dataInLength The length of the data in bytes.
/// @param dataOut Receives the result.
/// @param dataOutAvailable The room for the result in bytes: as many bytes as the data, and for encryption with padding
///     up to one block more.
/// @param dataOutMoved Receives the number of bytes written, or, if the room is too small, the number needed; may be
///     null.
/// @return As `CCCryptorCreate`, `CCCryptorUpdate` and `CCCryptorFinal`.
CCCryptorStatus CCCrypt(
    CCOperation op, CCAlgorithm alg, CCOptions options, const void *key, size_t keyLength, const void *iv,
    const void *dataIn, size_t dataInLength, void *dataOut, size_t dataOutAvailable, size_t *dataOutMoved);

#ifdef __cplusplus
}
#endif

#endif

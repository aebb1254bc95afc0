// SPDX-License-Identifier: Apache-2.0

/// Symmetric ciphers.
///
/// AES, DES and triple DES are there with OpenSSL 3, CAST, RC4 and Blowfish where its legacy module is installed too. RC2 is
/// not. What is not there answers `kCCUnimplemented`.

#ifndef COMMONCRYPTO_COMMONCRYPTOR_H
#define COMMONCRYPTO_COMMONCRYPTOR_H

#include <CommonCrypto/CommonCryptoError.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A cipher at work, with its key and what it holds back. One thread at a time may use it.
typedef struct _CCCryptor *CCCryptorRef;

enum {
    /// Encrypt.
    kCCEncrypt = 0,
    /// Decrypt.
    kCCDecrypt,
};

/// What to do.
typedef uint32_t CCOperation;

enum {
    /// AES with a key of any of its three lengths.
    kCCAlgorithmAES128 = 0,
    /// AES with a key of any of its three lengths.
    kCCAlgorithmAES = 0,
    /// DES. Its keys are found by trying all of them.
    kCCAlgorithmDES,
    /// Triple DES with three keys.
    kCCAlgorithm3DES,
    /// CAST-128.
    kCCAlgorithmCAST,
    /// RC4, a stream. It is broken.
    kCCAlgorithmRC4,
    /// RC2, which is not there.
    kCCAlgorithmRC2,
    /// Blowfish.
    kCCAlgorithmBlowfish,
};

/// Which cipher.
typedef uint32_t CCAlgorithm;

enum {
    /// The data is of any length; padding (PKCS #7) fills its last block.
    kCCOptionPKCS7Padding = 0x0001,
    /// Each block by itself. Without it, blocks are chained (CBC).
    kCCOptionECBMode = 0x0002,
};

/// Bits that say how a cipher is used.
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

/// The lengths of blocks in bytes, and of initialization vectors.
enum {
    kCCBlockSizeAES128 = 16,
    kCCBlockSizeDES = 8,
    kCCBlockSize3DES = 8,
    kCCBlockSizeCAST = 8,
    kCCBlockSizeRC2 = 8,
    kCCBlockSizeBlowfish = 8,
};

/// The memory in bytes that a caller may have to give to `CCCryptorCreateFromData`.
enum {
    kCCContextSizeAES128 = 404,
    kCCContextSizeDES = 240,
    kCCContextSize3DES = 496,
    kCCContextSizeCAST = 240,
    kCCContextSizeRC4 = 1072,
};

enum {
    /// Each block by itself.
    kCCModeECB = 1,
    /// Blocks that are chained.
    kCCModeCBC = 2,
    /// A stream, by feeding blocks back.
    kCCModeCFB = 3,
    /// A stream, by counting; the counter is the whole block, with its highest byte first.
    kCCModeCTR = 4,
    /// A stream that does not depend on the data.
    kCCModeOFB = 7,
    /// What RC4 is, as a mode.
    kCCModeRC4 = 9,
    /// A stream, by feeding single bytes back.
    kCCModeCFB8 = 10,
};

/// How blocks are put together. Counting is there for AES alone.
typedef uint32_t CCMode;

enum {
    /// The data is whole blocks.
    ccNoPadding = 0,
    /// As `kCCOptionPKCS7Padding`. Streams are never padded.
    ccPKCS7Padding = 1,
};

/// How the last block is filled.
typedef uint32_t CCPadding;

enum {
    /// The counter's highest byte comes first, as it always does.
    kCCModeOptionCTR_BE = 2,
};

/// Not used.
typedef uint32_t CCModeOptions;

/// Makes a cryptor that chains blocks, or, with `kCCOptionECBMode`, does not.
///
/// @param op What to do.
/// @param alg Which cipher.
/// @param options How it is used.
/// @param key The key.
/// @param keyLength Its length in bytes.
/// @param iv The initialization vector, as long as a block; all zero if it is null.
/// @param cryptorRef Where the cryptor goes, to be released with `CCCryptorRelease`; null after an error.
/// @return `kCCSuccess`; `kCCParamError` if a number is unknown or a pointer is missing, `kCCKeySizeError`,
///     `kCCUnimplemented`, or `kCCMemoryFailure`.
CCCryptorStatus CCCryptorCreate(
    CCOperation op, CCAlgorithm alg, CCOptions options, const void *key, size_t keyLength, const void *iv,
    CCCryptorRef *cryptorRef);

/// Makes a cryptor. The caller's memory is not used, but has to be there.
///
/// @param op What to do.
/// @param alg Which cipher.
/// @param options How it is used.
/// @param key The key.
/// @param keyLength Its length in bytes.
/// @param iv The initialization vector, as long as a block; all zero if it is null.
/// @param data The caller's memory.
/// @param dataLength Its length in bytes.
/// @param cryptorRef Where the cryptor goes, to be released with `CCCryptorRelease`.
/// @param dataUsed Where the number of bytes goes that is needed; it may be null.
/// @return As `CCCryptorCreate`, or `kCCBufferTooSmall`.
CCCryptorStatus CCCryptorCreateFromData(
    CCOperation op, CCAlgorithm alg, CCOptions options, const void *key, size_t keyLength, const void *iv,
    const void *data, size_t dataLength, CCCryptorRef *cryptorRef, size_t *dataUsed);

/// Makes a cryptor with a mode.
///
/// @param op What to do.
/// @param mode How blocks are put together.
/// @param alg Which cipher.
/// @param padding How the last block is filled.
/// @param iv The initialization vector, as long as a block; all zero if it is null.
/// @param key The key.
/// @param keyLength Its length in bytes.
/// @param tweak Not used.
/// @param tweakLength Not used.
/// @param numRounds Not used.
/// @param options Not used.
/// @param cryptorRef Where the cryptor goes, to be released with `CCCryptorRelease`; null after an error.
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

/// Encrypts or decrypts more data. What does not fill a block is held back, and in decryption with padding the last block.
///
/// @param cryptorRef The cryptor.
/// @param dataIn The data. It may overlap the output.
/// @param dataInLength Its length in bytes.
/// @param dataOut Where the result goes.
/// @param dataOutAvailable How many bytes there is room for.
/// @param dataOutMoved Where the number of bytes goes that were written, or, if there is too little room, that are needed;
///     it may be null.
/// @return `kCCSuccess`; `kCCBufferTooSmall`, after which nothing has changed; `kCCParamError` if a pointer is missing;
///     `kCCMemoryFailure`; `kCCCallSequenceError` after `kCCDecodeError`.
CCCryptorStatus CCCryptorUpdate(
    CCCryptorRef cryptorRef, const void *dataIn, size_t dataInLength, void *dataOut, size_t dataOutAvailable,
    size_t *dataOutMoved);

/// Encrypts or decrypts what was held back.
///
/// @param cryptorRef The cryptor. Null is no error, as on Apple's platforms.
/// @param dataOut Where the result goes.
/// @param dataOutAvailable How many bytes there is room for.
/// @param dataOutMoved Where the number of bytes goes that were written, or, if there is too little room, that are needed;
///     it may be null.
/// @return `kCCSuccess`; `kCCBufferTooSmall`, after which nothing has changed; `kCCAlignmentError` if the data was not whole
///     blocks; `kCCDecodeError` if it does not end with padding. Apple documents the last one, and its present
///     implementation gives success with bytes that mean nothing in its place.
CCCryptorStatus CCCryptorFinal(CCCryptorRef cryptorRef, void *dataOut, size_t dataOutAvailable, size_t *dataOutMoved);

/// Says how much room a call needs.
///
/// @param cryptorRef The cryptor.
/// @param inputLength The length of the data in bytes.
/// @param final Whether `CCCryptorFinal` is called after it too, for both together.
/// @return The number of bytes; 0 for no cryptor.
size_t CCCryptorGetOutputLength(CCCryptorRef cryptorRef, size_t inputLength, bool final);

/// Begins anew with the same key.
///
/// @param cryptorRef The cryptor. It chains blocks or counts; no other mode can be begun anew.
/// @param iv The initialization vector, as long as a block; all zero if it is null.
/// @return `kCCSuccess`, `kCCUnimplemented` for another mode, or `kCCParamError` for no cryptor.
CCCryptorStatus CCCryptorReset(CCCryptorRef cryptorRef, const void *iv);

/// Encrypts or decrypts data.
///
/// @param op What to do.
/// @param alg Which cipher.
/// @param options How it is used.
/// @param key The key.
/// @param keyLength Its length in bytes.
/// @param iv The initialization vector, as long as a block; all zero if it is null.
/// @param dataIn The data. It may overlap the output.
/// @param dataInLength Its length in bytes.
/// @param dataOut Where the result goes.
/// @param dataOutAvailable How many bytes there is room for: as many as the data has, and for encryption with padding up
///     to one block more.
/// @param dataOutMoved Where the number of bytes goes that were written, or, if there is too little room, that are needed;
///     it may be null.
/// @return As `CCCryptorCreate`, `CCCryptorUpdate` and `CCCryptorFinal`.
CCCryptorStatus CCCrypt(
    CCOperation op, CCAlgorithm alg, CCOptions options, const void *key, size_t keyLength, const void *iv,
    const void *dataIn, size_t dataInLength, void *dataOut, size_t dataOutAvailable, size_t *dataOutMoved);

#ifdef __cplusplus
}
#endif

#endif

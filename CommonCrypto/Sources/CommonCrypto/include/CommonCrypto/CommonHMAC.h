// SPDX-License-Identifier: Apache-2.0

/// Message authentication codes, which only the holders of a key can compute (HMAC, RFC 2104).
///
/// Compare codes with `timingsafe_bcmp`. A context is a plain value, as a digest's is. Without OpenSSL 3 the functions
/// end the process, as those for digests do.

#ifndef COMMONCRYPTO_COMMONHMAC_H
#define COMMONCRYPTO_COMMONHMAC_H

#include <CommonCrypto/CommonDigest.h>
#include <stddef.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The digest of a code.
enum {
    /// A code of 20 bytes.
    kCCHmacAlgSHA1,
    /// A code of 16 bytes.
    kCCHmacAlgMD5,
    /// A code of 32 bytes.
    kCCHmacAlgSHA256,
    /// A code of 48 bytes.
    kCCHmacAlgSHA384,
    /// A code of 64 bytes.
    kCCHmacAlgSHA512,
    /// A code of 28 bytes.
    kCCHmacAlgSHA224,
};

/// One of the constants above.
typedef uint32_t CCHmacAlgorithm;

/// The size of a context, in 32-bit numbers.
#define CC_HMAC_CONTEXT_SIZE 96

/// An unfinished code.
typedef struct {
    uint32_t ctx[CC_HMAC_CONTEXT_SIZE] __attribute__((aligned(8)));
} CCHmacContext;

/// Begins a code. If the digest is unknown or the key is missing, later calls with the context compute nothing.
///
/// @param ctx The context.
/// @param algorithm The digest.
/// @param key The key, of any length; may be null if the length is zero.
/// @param keyLength The length of the key in bytes.
void CCHmacInit(CCHmacContext *ctx, CCHmacAlgorithm algorithm, const void *key, size_t keyLength);

/// Adds data.
///
/// @param ctx The context.
/// @param data The data.
/// @param dataLength The length of the data in bytes.
void CCHmacUpdate(CCHmacContext *ctx, const void *data, size_t dataLength);

/// Writes the code and wipes the context. Writes nothing if the context was not begun.
///
/// @param ctx The context.
/// @param macOut Receives the code; must have room for the digest's length.
void CCHmacFinal(CCHmacContext *ctx, void *macOut);

/// Computes the code of data. Writes nothing if the digest is unknown or a pointer is missing.
///
/// @param algorithm The digest.
/// @param key The key, of any length; may be null if the length is zero.
/// @param keyLength The length of the key in bytes.
/// @param data The data; may be null if the length is zero.
/// @param dataLength The length of the data in bytes.
/// @param macOut Receives the code; must have room for the digest's length.
void CCHmac(
    CCHmacAlgorithm algorithm, const void *key, size_t keyLength, const void *data, size_t dataLength, void *macOut);

#ifdef __cplusplus
}
#endif

#endif

// SPDX-License-Identifier: Apache-2.0

/// Codes that only who has a key can compute (HMAC, RFC 2104).
///
/// Compare codes with `timingsafe_bcmp`. A context is a plain value, as a digest's is. Without OpenSSL 3 on the machine the
/// functions end the process, as those for digests do.

#ifndef COMMONCRYPTO_COMMONHMAC_H
#define COMMONCRYPTO_COMMONHMAC_H

#include <CommonCrypto/CommonDigest.h>
#include <stddef.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Which digest a code is made with.
enum {
    /// 20 bytes.
    kCCHmacAlgSHA1,
    /// 16 bytes.
    kCCHmacAlgMD5,
    /// 32 bytes.
    kCCHmacAlgSHA256,
    /// 48 bytes.
    kCCHmacAlgSHA384,
    /// 64 bytes.
    kCCHmacAlgSHA512,
    /// 28 bytes.
    kCCHmacAlgSHA224,
};

/// One of the constants above.
typedef uint32_t CCHmacAlgorithm;

/// The size of a context, in numbers of 32 bits.
#define CC_HMAC_CONTEXT_SIZE 96

/// A code that is being computed.
typedef struct {
    uint32_t ctx[CC_HMAC_CONTEXT_SIZE] __attribute__((aligned(8)));
} CCHmacContext;

/// Begins a code. With a digest that is not known, or a key that is missing, the context computes nothing.
///
/// @param ctx The context.
/// @param algorithm Which digest.
/// @param key The key, of any length; it may be null if that is zero.
/// @param keyLength The length of the key in bytes.
void CCHmacInit(CCHmacContext *ctx, CCHmacAlgorithm algorithm, const void *key, size_t keyLength);

/// Takes more data.
///
/// @param ctx The context.
/// @param data The data.
/// @param dataLength The length of the data in bytes.
void CCHmacUpdate(CCHmacContext *ctx, const void *data, size_t dataLength);

/// Writes the code and wipes the context. Writes nothing for a context that was not begun.
///
/// @param ctx The context.
/// @param macOut Where the code goes; it has room for what the digest gives.
void CCHmacFinal(CCHmacContext *ctx, void *macOut);

/// Computes the code of data. Writes nothing if the digest is not known or a pointer is missing.
///
/// @param algorithm Which digest.
/// @param key The key, of any length; it may be null if that is zero.
/// @param keyLength The length of the key in bytes.
/// @param data The data; it may be null if its length is zero.
/// @param dataLength The length of the data in bytes.
/// @param macOut Where the code goes; it has room for what the digest gives.
void CCHmac(
    CCHmacAlgorithm algorithm, const void *key, size_t keyLength, const void *data, size_t dataLength, void *macOut);

#ifdef __cplusplus
}
#endif

#endif

// SPDX-License-Identifier: Apache-2.0

/// Encrypts keys under other keys (AES key wrap, RFC 3394).

#ifndef COMMONCRYPTO_COMMONSYMMETRICKEYWRAP_H
#define COMMONCRYPTO_COMMONSYMMETRICKEYWRAP_H

#include <CommonCrypto/CommonCryptoError.h>
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    /// AES key wrap. It is the only algorithm, and the functions ignore this argument.
    kCCWRAPAES = 1,
};

/// A way to wrap keys.
typedef uint32_t CCWrappingAlgorithm;

// Swift regards pointers as not Sendable, but this one is a constant.
#ifdef __swift__
#define COMMONCRYPTO_CONSTANT __attribute__((swift_attr("nonisolated(unsafe)")))
#else
#define COMMONCRYPTO_CONSTANT
#endif

/// The initialization vector of the standard.
extern const uint8_t *const CCrfc3394_iv COMMONCRYPTO_CONSTANT;

/// The length of this vector in bytes.
extern const size_t CCrfc3394_ivLen;

/// Wraps a key.
///
/// @param algorithm Ignored.
/// @param iv The initialization vector, of which eight bytes are used; null for the standard's.
/// @param ivLen The length of the initialization vector in bytes; at least eight.
/// @param kek The key that encrypts: 16, 24 or 32 bytes.
/// @param kekLen The length of the encrypting key in bytes.
/// @param rawKey The key to wrap: 16 bytes or more, and a multiple of eight.
/// @param rawKeyLen The length of the key to wrap in bytes.
/// @param wrappedKey Receives the result.
/// @param wrappedKeyLen The room for the result in bytes; receives its length, or 0 after an error.
/// @return `kCCSuccess`; `kCCParamError` if an argument is not as described, or the room is too small;
///     `kCCUnimplemented` without OpenSSL 3.
int CCSymmetricKeyWrap(
    CCWrappingAlgorithm algorithm, const uint8_t *iv, const size_t ivLen, const uint8_t *kek, size_t kekLen,
    const uint8_t *rawKey, size_t rawKeyLen, uint8_t *wrappedKey, size_t *wrappedKeyLen);

/// Unwraps a key. As on Apple's platforms, this also accepts a key that was wrapped with the standard's initialization
/// vector, whatever `iv` is.
///
/// @param algorithm Ignored.
/// @param iv The initialization vector, of which eight bytes are used; null for the standard's.
/// @param ivLen The length of the initialization vector in bytes; at least eight.
/// @param kek The key that encrypted: 16, 24 or 32 bytes.
/// @param kekLen The length of the encrypting key in bytes.
/// @param wrappedKey The wrapped key.
/// @param wrappedKeyLen The length of the wrapped key in bytes.
/// @param rawKey Receives the result. It is wiped after an error.
/// @param rawKeyLen The room for the result in bytes; receives its length, or 0 after an error.
/// @return `kCCSuccess`; `kCCDecodeError` if the wrapped key is damaged or was wrapped with another key;
///     `kCCParamError` if another argument is not as described, or the room is too small; `kCCMemoryFailure`;
///     `kCCUnimplemented` without OpenSSL 3.
int CCSymmetricKeyUnwrap(
    CCWrappingAlgorithm algorithm, const uint8_t *iv, const size_t ivLen, const uint8_t *kek, size_t kekLen,
    const uint8_t *wrappedKey, size_t wrappedKeyLen, uint8_t *rawKey, size_t *rawKeyLen);

/// The length of a key after wrapping.
///
/// @param algorithm Ignored.
/// @param rawKeyLen The length of the key in bytes.
/// @return The number of bytes.
size_t CCSymmetricWrappedSize(CCWrappingAlgorithm algorithm, size_t rawKeyLen);

/// The length of a key after unwrapping.
///
/// @param algorithm Ignored.
/// @param wrappedKeyLen The length of the wrapped key in bytes.
/// @return The number of bytes; 0 if the wrapped key is too short.
size_t CCSymmetricUnwrappedSize(CCWrappingAlgorithm algorithm, size_t wrappedKeyLen);

#ifdef __cplusplus
}
#endif

#endif

// SPDX-License-Identifier: Apache-2.0

/// Keys under keys (AES key wrap, RFC 3394).

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
    /// AES key wrap. There is no other way, and this argument is not looked at.
    kCCWRAPAES = 1,
};

/// How a key is wrapped.
typedef uint32_t CCWrappingAlgorithm;

// A pointer is not Sendable, and a constant all the same.
#ifdef __swift__
#define COMMONCRYPTO_CONSTANT __attribute__((swift_attr("nonisolated(unsafe)")))
#else
#define COMMONCRYPTO_CONSTANT
#endif

/// The initialization vector of the standard.
extern const uint8_t *const CCrfc3394_iv COMMONCRYPTO_CONSTANT;

/// Its length in bytes.
extern const size_t CCrfc3394_ivLen;

/// Wraps a key.
///
/// @param algorithm Not looked at.
/// @param iv The initialization vector, of which eight bytes count; that of the standard if it is null.
/// @param ivLen Its length in bytes.
/// @param kek The key to wrap with: 16, 24 or 32 bytes.
/// @param kekLen Its length in bytes.
/// @param rawKey The key to wrap: 16 bytes or more, and a multiple of eight.
/// @param rawKeyLen Its length in bytes.
/// @param wrappedKey Where the result goes.
/// @param wrappedKeyLen How many bytes there is room for; then the length of the result, or 0 after an error.
/// @return `kCCSuccess`; `kCCParamError` for any argument that is not as above, too little room among them;
///     `kCCUnimplemented` without OpenSSL 3.
int CCSymmetricKeyWrap(
    CCWrappingAlgorithm algorithm, const uint8_t *iv, const size_t ivLen, const uint8_t *kek, size_t kekLen,
    const uint8_t *rawKey, size_t rawKeyLen, uint8_t *wrappedKey, size_t *wrappedKeyLen);

/// Unwraps a key. As on Apple's platforms, what was wrapped with the standard's initialization vector is accepted whatever
/// `iv` is.
///
/// @param algorithm Not looked at.
/// @param iv The initialization vector, of which eight bytes count; that of the standard if it is null.
/// @param ivLen Its length in bytes.
/// @param kek The key that it is wrapped with: 16, 24 or 32 bytes.
/// @param kekLen Its length in bytes.
/// @param wrappedKey The wrapped key.
/// @param wrappedKeyLen Its length in bytes.
/// @param rawKey Where the result goes. Nothing of it is there after an error.
/// @param rawKeyLen How many bytes there is room for; then the length of the result, or 0 after an error.
/// @return `kCCSuccess`; `kCCDecodeError` if it was wrapped with another key or is damaged; `kCCParamError` for any other
///     argument that is not as above; `kCCUnimplemented` without OpenSSL 3.
int CCSymmetricKeyUnwrap(
    CCWrappingAlgorithm algorithm, const uint8_t *iv, const size_t ivLen, const uint8_t *kek, size_t kekLen,
    const uint8_t *wrappedKey, size_t wrappedKeyLen, uint8_t *rawKey, size_t *rawKeyLen);

/// Says how long a wrapped key is.
///
/// @param algorithm Not looked at.
/// @param rawKeyLen The length of the key in bytes.
/// @return The number of bytes.
size_t CCSymmetricWrappedSize(CCWrappingAlgorithm algorithm, size_t rawKeyLen);

/// Says how long the key is that was wrapped.
///
/// @param algorithm Not looked at.
/// @param wrappedKeyLen The length of the wrapped key in bytes.
/// @return The number of bytes; 0 if there is no room for a key.
size_t CCSymmetricUnwrappedSize(CCWrappingAlgorithm algorithm, size_t wrappedKeyLen);

#ifdef __cplusplus
}
#endif

#endif

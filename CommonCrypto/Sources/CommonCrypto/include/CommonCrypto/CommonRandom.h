// SPDX-License-Identifier: Apache-2.0

/// Random bytes.

#ifndef COMMONCRYPTO_COMMONRANDOM_H
#define COMMONCRYPTO_COMMONRANDOM_H

#include <CommonCrypto/CommonCryptoError.h>
#include <stddef.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/// `kCCSuccess`, `kCCParamError` or `kCCRNGFailure`.
typedef CCCryptorStatus CCRNGStatus;

/// Fills memory with random bytes from the kernel, which are good enough for keys.
///
/// @param bytes The memory.
/// @param count The number of bytes.
/// @return `kCCSuccess`; `kCCParamError` if there is no memory to fill; `kCCRNGFailure` if the kernel gives no random
///     bytes.
CCRNGStatus CCRandomGenerateBytes(void *bytes, size_t count);

#ifdef __cplusplus
}
#endif

#endif

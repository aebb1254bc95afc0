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

/// Fills memory with bytes from the kernel that are fit for keys.
///
/// @param bytes Where they go.
/// @param count How many.
/// @return `kCCSuccess`; `kCCParamError` if there is nowhere to put them; `kCCRNGFailure` if the kernel has none.
CCRNGStatus CCRandomGenerateBytes(void *bytes, size_t count);

#ifdef __cplusplus
}
#endif

#endif

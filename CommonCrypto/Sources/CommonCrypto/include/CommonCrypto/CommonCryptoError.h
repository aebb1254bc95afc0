// SPDX-License-Identifier: Apache-2.0

/// The results of CommonCrypto's functions.

#ifndef COMMONCRYPTO_COMMONCRYPTOERROR_H
#define COMMONCRYPTO_COMMONCRYPTOERROR_H

#include <stdint.h>

enum {
    /// Success.
    kCCSuccess = 0,
    /// An argument is missing or out of range.
    kCCParamError = -4300,
    /// The output does not fit. The call can be repeated with more room.
    kCCBufferTooSmall = -4301,
    /// No memory is left.
    kCCMemoryFailure = -4302,
    /// The input is not whole blocks, which decryption, and encryption without padding, need.
    kCCAlignmentError = -4303,
    /// The input is damaged, or the key is wrong.
    kCCDecodeError = -4304,
    /// The cipher or mode is not available: it was never made, or OpenSSL 3 does not have it or is not installed.
    kCCUnimplemented = -4305,
    /// A number is too large.
    kCCOverflow = -4306,
    /// The system has no random bytes.
    kCCRNGFailure = -4307,
    /// Any other error.
    kCCUnspecifiedError = -4308,
    /// The call is not allowed after the calls before it.
    kCCCallSequenceError = -4309,
    /// The cipher has no keys of this length.
    kCCKeySizeError = -4310,
    /// The key is not valid.
    kCCInvalidKey = -4311,
};

/// One of the constants above.
typedef int32_t CCStatus;

/// One of the constants above.
typedef int32_t CCCryptorStatus;

#endif

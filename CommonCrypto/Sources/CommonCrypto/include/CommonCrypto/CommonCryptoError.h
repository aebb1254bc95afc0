// SPDX-License-Identifier: Apache-2.0

/// The results of the functions of CommonCrypto.

#ifndef COMMONCRYPTO_COMMONCRYPTOERROR_H
#define COMMONCRYPTO_COMMONCRYPTOERROR_H

#include <stdint.h>

enum {
    /// Done.
    kCCSuccess = 0,
    /// An argument is missing or out of range.
    kCCParamError = -4300,
    /// The output does not fit. Nothing is lost: the call can be made again with more room.
    kCCBufferTooSmall = -4301,
    /// There is no memory.
    kCCMemoryFailure = -4302,
    /// Without padding, or for decryption, the input has to be whole blocks, and it is not.
    kCCAlignmentError = -4303,
    /// The input is damaged, or the key is another one.
    kCCDecodeError = -4304,
    /// The cipher or mode is not there: it was never made, or OpenSSL 3 does not have it or is not installed.
    kCCUnimplemented = -4305,
    /// A number is too large.
    kCCOverflow = -4306,
    /// The system has no random numbers.
    kCCRNGFailure = -4307,
    /// An error that has no name.
    kCCUnspecifiedError = -4308,
    /// The call does not fit what was called before it.
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

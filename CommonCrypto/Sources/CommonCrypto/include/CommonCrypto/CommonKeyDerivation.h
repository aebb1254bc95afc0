// SPDX-License-Identifier: Apache-2.0

/// Keys from passwords (PBKDF2, RFC 8018).

#ifndef COMMONCRYPTO_COMMONKEYDERIVATION_H
#define COMMONCRYPTO_COMMONKEYDERIVATION_H

#include <CommonCrypto/CommonDigest.h>
#include <CommonCrypto/CommonHMAC.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    /// PBKDF2.
    kCCPBKDF2 = 2,
};

/// A way to derive a key.
typedef uint32_t CCPBKDFAlgorithm;

/// The HMAC that is repeated.
enum {
    kCCPRFHmacAlgSHA1 = 1,
    kCCPRFHmacAlgSHA224 = 2,
    kCCPRFHmacAlgSHA256 = 3,
    kCCPRFHmacAlgSHA384 = 4,
    kCCPRFHmacAlgSHA512 = 5,
};

/// One of the constants above.
typedef uint32_t CCPseudoRandomAlgorithm;

/// Derives a key.
///
/// @param algorithm `kCCPBKDF2`.
/// @param password The password, as any bytes.
/// @param passwordLen The length of the password in bytes.
/// @param salt The salt; may be null if the length is zero.
/// @param saltLen The length of the salt in bytes.
/// @param prf The HMAC.
/// @param rounds The number of rounds; at least one.
/// @param derivedKey Receives the key.
/// @param derivedKeyLen The length of the key in bytes; at least one.
/// @return `kCCSuccess`; `kCCParamError` if an argument is missing, unknown, zero or above 2³¹ − 1; `kCCUnimplemented`
///     without OpenSSL 3.
int CCKeyDerivationPBKDF(
    CCPBKDFAlgorithm algorithm, const char *password, size_t passwordLen, const uint8_t *salt, size_t saltLen,
    CCPseudoRandomAlgorithm prf, unsigned rounds, uint8_t *derivedKey, size_t derivedKeyLen);

/// The number of rounds that take a given time on this machine.
///
/// @param algorithm `kCCPBKDF2`.
/// @param passwordLen The length of the password in bytes.
/// @param saltLen The length of the salt in bytes; 132 at most.
/// @param prf The HMAC.
/// @param derivedKeyLen The length of the key in bytes; at least one.
/// @param msec The time in milliseconds.
/// @return The number of rounds, at least 10,000; `UINT_MAX` if an argument is out of range, or without OpenSSL 3.
unsigned CCCalibratePBKDF(
    CCPBKDFAlgorithm algorithm, size_t passwordLen, size_t saltLen, CCPseudoRandomAlgorithm prf, size_t derivedKeyLen,
    uint32_t msec);

#ifdef __cplusplus
}
#endif

#endif

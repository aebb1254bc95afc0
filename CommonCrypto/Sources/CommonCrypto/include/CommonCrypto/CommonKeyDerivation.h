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

/// How a key is derived.
typedef uint32_t CCPBKDFAlgorithm;

/// Which HMAC is repeated.
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
/// @param password The password. Its bytes count, whatever they are.
/// @param passwordLen Its length in bytes.
/// @param salt The salt; it may be null if its length is zero.
/// @param saltLen Its length in bytes.
/// @param prf Which HMAC.
/// @param rounds How often; at least once.
/// @param derivedKey Where the key goes.
/// @param derivedKeyLen Its length in bytes; at least one.
/// @return `kCCSuccess`; `kCCParamError` for what is missing, unknown, zero or above 2³¹ − 1; `kCCUnimplemented` without
///     OpenSSL 3.
int CCKeyDerivationPBKDF(
    CCPBKDFAlgorithm algorithm, const char *password, size_t passwordLen, const uint8_t *salt, size_t saltLen,
    CCPseudoRandomAlgorithm prf, unsigned rounds, uint8_t *derivedKey, size_t derivedKeyLen);

/// Says how many rounds take a time on this machine.
///
/// @param algorithm `kCCPBKDF2`.
/// @param passwordLen The length of the password in bytes.
/// @param saltLen The length of the salt in bytes; 132 at most.
/// @param prf Which HMAC.
/// @param derivedKeyLen The length of the key in bytes; at least one.
/// @param msec The time in milliseconds.
/// @return The number of rounds, 10,000 at least; `UINT_MAX` for what `CCKeyDerivationPBKDF` would not take.
unsigned CCCalibratePBKDF(
    CCPBKDFAlgorithm algorithm, size_t passwordLen, size_t saltLen, CCPseudoRandomAlgorithm prf, size_t derivedKeyLen,
    uint32_t msec);

#ifdef __cplusplus
}
#endif

#endif

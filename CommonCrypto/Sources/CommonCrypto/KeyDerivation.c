// SPDX-License-Identifier: Apache-2.0

#include <CommonCrypto/CommonCryptoError.h>
#include <CommonCrypto/CommonKeyDerivation.h>
#include <time.h>

#include "Libcrypto.h"

/// @return Null for an unknown number.
static const Digest *digest_of(const Libcrypto *openssl, CCPseudoRandomAlgorithm prf) {
    switch (prf) {
    case kCCPRFHmacAlgSHA1: return openssl->digest_sha1();
    case kCCPRFHmacAlgSHA224: return openssl->digest_sha224();
    case kCCPRFHmacAlgSHA256: return openssl->digest_sha256();
    case kCCPRFHmacAlgSHA384: return openssl->digest_sha384();
    case kCCPRFHmacAlgSHA512: return openssl->digest_sha512();
    default: return NULL;
    }
}

static size_t digest_size(CCPseudoRandomAlgorithm prf) {
    switch (prf) {
    case kCCPRFHmacAlgSHA1: return CC_SHA1_DIGEST_LENGTH;
    case kCCPRFHmacAlgSHA224: return CC_SHA224_DIGEST_LENGTH;
    case kCCPRFHmacAlgSHA256: return CC_SHA256_DIGEST_LENGTH;
    case kCCPRFHmacAlgSHA384: return CC_SHA384_DIGEST_LENGTH;
    case kCCPRFHmacAlgSHA512: return CC_SHA512_DIGEST_LENGTH;
    default: return 0;
    }
}

int CCKeyDerivationPBKDF(
    CCPBKDFAlgorithm algorithm, const char *password, size_t passwordLen, const uint8_t *salt, size_t saltLen,
    CCPseudoRandomAlgorithm prf, unsigned rounds, uint8_t *derivedKey, size_t derivedKeyLen) {
    if (algorithm != kCCPBKDF2 || digest_size(prf) == 0) return kCCParamError;
    if (password == NULL || derivedKey == NULL || (salt == NULL && saltLen > 0)) return kCCParamError;
    if (derivedKeyLen == 0 || rounds == 0) return kCCParamError;
    if (passwordLen > INT_MAX || saltLen > INT_MAX || derivedKeyLen > INT_MAX || rounds > INT_MAX) return kCCParamError;
    const Libcrypto *openssl = libcrypto();
    if (openssl == NULL) return kCCUnimplemented;
    // OpenSSL rejects a null pointer as salt, but accepts a salt of no bytes.
    const unsigned char nothing[1] = {0};
    openssl->set_mark();
    int done = openssl->pbkdf2(
        password, (int)passwordLen, saltLen == 0 ? nothing : salt, (int)saltLen, (int)rounds, digest_of(openssl, prf),
        (int)derivedKeyLen, derivedKey);
    openssl->pop_to_mark();
    return done == 1 ? kCCSuccess : kCCParamError;
}

static double milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

/// The milliseconds of a round for a key of one digest's length. Negative if it cannot be measured.
static double cost_of_round(size_t passwordLen, size_t saltLen, CCPseudoRandomAlgorithm prf) {
    // A longer password is digested once, before all rounds. It does not change the cost of a round.
    char password[128] = {0};
    uint8_t salt[132] = {0}, key[CC_SHA512_DIGEST_LENGTH];
    const size_t count = passwordLen < sizeof password ? passwordLen : sizeof password;
    const double shortest = 5;
    for (unsigned rounds = 10000; rounds <= INT_MAX / 4; rounds *= 4) {
        const double start = milliseconds();
        if (CCKeyDerivationPBKDF(kCCPBKDF2, password, count, salt, saltLen, prf, rounds, key, digest_size(prf)))
            return -1;
        const double elapsed = milliseconds() - start;
        if (elapsed >= shortest) return elapsed / rounds;
    }
    return -1;
}

unsigned CCCalibratePBKDF(
    CCPBKDFAlgorithm algorithm, size_t passwordLen, size_t saltLen, CCPseudoRandomAlgorithm prf, size_t derivedKeyLen,
    uint32_t msec) {
    const double fewest = 10000;
    if (algorithm != kCCPBKDF2 || digest_size(prf) == 0 || derivedKeyLen == 0 || derivedKeyLen > INT_MAX) return UINT_MAX;
    if (saltLen > 132 || passwordLen > INT_MAX) return UINT_MAX;
    const double cost = cost_of_round(passwordLen, saltLen, prf);
    if (cost <= 0) return UINT_MAX;
    const size_t blocks = (derivedKeyLen - 1) / digest_size(prf) + 1;
    const double rounds = msec / (cost * (double)blocks);
    return (unsigned)(rounds < fewest ? fewest : rounds > INT_MAX ? INT_MAX : rounds);
}

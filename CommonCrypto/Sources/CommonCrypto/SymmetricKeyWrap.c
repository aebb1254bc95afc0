// SPDX-License-Identifier: Apache-2.0

#include <CommonCrypto/CommonSymmetricKeywrap.h>

#include "Libcrypto.h"

enum { half_block = 8, shortest_key = 16, flag_wrap_allowed = 1 };

static const uint8_t standard_iv[half_block] = {0xa6, 0xa6, 0xa6, 0xa6, 0xa6, 0xa6, 0xa6, 0xa6};
const uint8_t *const CCrfc3394_iv = standard_iv;
const size_t CCrfc3394_ivLen = sizeof standard_iv;

/// @return Null if no key has this length.
static const char *cipher_name(size_t kek_length) {
    switch (kek_length) {
    case 16: return "AES-128-WRAP";
    case 24: return "AES-192-WRAP";
    case 32: return "AES-256-WRAP";
    default: return NULL;
    }
}

/// Wraps or unwraps. The output must have room for the whole result.
static bool transform(
    const Libcrypto *openssl, bool wraps, const uint8_t *kek, size_t kek_length, const uint8_t *iv, const uint8_t *input,
    size_t count, uint8_t *output, size_t result) {
    int moved = 0;
    openssl->set_mark();
    Cipher *cipher = openssl->fetch_cipher(openssl->library, cipher_name(kek_length), NULL);
    CipherContext *context = openssl->new_context();
    bool done = cipher != NULL && context != NULL;
    if (done) {
        openssl->set_flags(context, flag_wrap_allowed);
        done = openssl->begin(context, cipher, NULL, kek, iv, wraps) == 1 &&
               openssl->update(context, output, &moved, input, (int)count) == 1 && (size_t)moved == result;
    }
    openssl->free_context(context);
    openssl->free_cipher(cipher);
    openssl->pop_to_mark();
    return done;
}

static bool is_usable(const uint8_t *iv, size_t iv_length, const uint8_t *kek, size_t kek_length) {
    return (iv == NULL || iv_length >= half_block) && kek != NULL && cipher_name(kek_length) != NULL;
}

/// Wipes the output, sets its length to zero and returns the status.
static int refused(int status, uint8_t *output, size_t *length) {
    if (length == NULL) return status;
    if (output != NULL) explicit_bzero(output, *length);
    *length = 0;
    return status;
}

int CCSymmetricKeyWrap(
    CCWrappingAlgorithm algorithm, const uint8_t *iv, const size_t ivLen, const uint8_t *kek, size_t kekLen,
    const uint8_t *rawKey, size_t rawKeyLen, uint8_t *wrappedKey, size_t *wrappedKeyLen) {
    (void)algorithm;
    if (!is_usable(iv, ivLen, kek, kekLen) || rawKey == NULL || wrappedKey == NULL || wrappedKeyLen == NULL)
        return refused(kCCParamError, wrappedKey, wrappedKeyLen);
    if (rawKeyLen < shortest_key || rawKeyLen % half_block != 0 || rawKeyLen > INT_MAX - half_block)
        return refused(kCCParamError, wrappedKey, wrappedKeyLen);
    const size_t result = rawKeyLen + half_block;
    if (*wrappedKeyLen < result) return refused(kCCParamError, wrappedKey, wrappedKeyLen);
    const Libcrypto *openssl = libcrypto();
    if (openssl == NULL) return refused(kCCUnimplemented, wrappedKey, wrappedKeyLen);
    if (!transform(openssl, true, kek, kekLen, iv ? iv : standard_iv, rawKey, rawKeyLen, wrappedKey, result))
        return refused(kCCParamError, wrappedKey, wrappedKeyLen);
    *wrappedKeyLen = result;
    return kCCSuccess;
}

/// Unwraps with either of two initialization vectors, into separate memory, because the caller's output may overlap the
/// input.
static int unwrap(
    const Libcrypto *openssl, const uint8_t *iv, const uint8_t *kek, size_t kekLen, const uint8_t *wrappedKey,
    size_t wrappedKeyLen, uint8_t *rawKey) {
    const size_t result = wrappedKeyLen - half_block;
    uint8_t *output = malloc(wrappedKeyLen);
    if (output == NULL) return kCCMemoryFailure;
    const bool done =
        (iv != NULL && transform(openssl, false, kek, kekLen, iv, wrappedKey, wrappedKeyLen, output, result)) ||
        transform(openssl, false, kek, kekLen, standard_iv, wrappedKey, wrappedKeyLen, output, result);
    if (done) memcpy(rawKey, output, result);
    explicit_bzero(output, wrappedKeyLen);
    free(output);
    return done ? kCCSuccess : kCCDecodeError;
}

int CCSymmetricKeyUnwrap(
    CCWrappingAlgorithm algorithm, const uint8_t *iv, const size_t ivLen, const uint8_t *kek, size_t kekLen,
    const uint8_t *wrappedKey, size_t wrappedKeyLen, uint8_t *rawKey, size_t *rawKeyLen) {
    (void)algorithm;
    if (!is_usable(iv, ivLen, kek, kekLen) || wrappedKey == NULL || rawKey == NULL || rawKeyLen == NULL)
        return refused(kCCParamError, rawKey, rawKeyLen);
    if (wrappedKeyLen > INT_MAX || *rawKeyLen < CCSymmetricUnwrappedSize(algorithm, wrappedKeyLen))
        return refused(kCCParamError, rawKey, rawKeyLen);
    if (wrappedKeyLen < shortest_key + half_block || wrappedKeyLen % half_block != 0)
        return refused(kCCDecodeError, rawKey, rawKeyLen);
    const Libcrypto *openssl = libcrypto();
    if (openssl == NULL) return refused(kCCUnimplemented, rawKey, rawKeyLen);
    const int status = unwrap(openssl, iv, kek, kekLen, wrappedKey, wrappedKeyLen, rawKey);
    if (status != kCCSuccess) return refused(status, rawKey, rawKeyLen);
    *rawKeyLen = wrappedKeyLen - half_block;
    return kCCSuccess;
}

size_t CCSymmetricWrappedSize(CCWrappingAlgorithm algorithm, size_t rawKeyLen) {
    (void)algorithm;
    return rawKeyLen > SIZE_MAX - half_block ? SIZE_MAX : rawKeyLen + half_block;
}

size_t CCSymmetricUnwrappedSize(CCWrappingAlgorithm algorithm, size_t wrappedKeyLen) {
    (void)algorithm;
    return wrappedKeyLen < half_block ? 0 : wrappedKeyLen - half_block;
}

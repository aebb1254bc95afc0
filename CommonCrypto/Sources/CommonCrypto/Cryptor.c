// SPDX-License-Identifier: Apache-2.0

#include <CommonCrypto/CommonCryptor.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "Libcrypto.h"

enum { longest_block = 16 };
/// OpenSSL's `EVP_CTRL_SET_RC2_KEY_BITS`.
enum { set_rc2_key_bits = 3 };

struct _CCCryptor {
    const Libcrypto *openssl;
    CipherContext *context;
    CCMode mode;
    /// 1 for a stream cipher.
    size_t block_size;
    bool encrypts;
    bool padded;
    /// The number of bytes that OpenSSL holds back.
    size_t held;
    /// Whether the input ended without valid padding. OpenSSL must not get more input then.
    bool has_failed;
    /// The last block, if the caller's memory was too small for it.
    unsigned char last[longest_block];
    size_t last_count;
    bool has_last;
};

// MARK: - Which cipher

/// A cipher's name in OpenSSL, without the mode, and its sizes.
typedef struct {
    const char *name;
    size_t block_size;
    size_t shortest_key, longest_key;
    /// Whether the cipher is in OpenSSL's legacy module.
    bool is_legacy;
    /// Whether one name stands for keys of several lengths.
    bool has_key_length;
} Algorithm;

/// The ciphers, in the order of `CCAlgorithm`.
static const Algorithm algorithms[] = {
    {"AES", kCCBlockSizeAES128, kCCKeySizeAES128, kCCKeySizeAES256, false, false},
    // DES is triple DES with three equal keys. In this form it needs no legacy module.
    {"DES-EDE3", kCCBlockSizeDES, kCCKeySizeDES, kCCKeySizeDES, false, false},
    {"DES-EDE3", kCCBlockSize3DES, kCCKeySize3DES, kCCKeySize3DES, false, false},
    {"CAST5", kCCBlockSizeCAST, kCCKeySizeMinCAST, kCCKeySizeMaxCAST, true, true},
    {"RC4", 1, kCCKeySizeMinRC4, kCCKeySizeMaxRC4, true, true},
    {"RC2", kCCBlockSizeRC2, kCCKeySizeMinRC2, kCCKeySizeMaxRC2, true, true},
    {"BF", kCCBlockSizeBlowfish, kCCKeySizeMinBlowfish, kCCKeySizeMaxBlowfish, true, true},
};

/// @return The mode's name in OpenSSL; null for an unknown number.
static const char *mode_name(CCMode mode) {
    switch (mode) {
    case kCCModeECB: return "ECB";
    case kCCModeCBC: return "CBC";
    case kCCModeCFB: return "CFB";
    case kCCModeCTR: return "CTR";
    case kCCModeOFB: return "OFB";
    case kCCModeRC4: return "RC4";
    case kCCModeCFB8: return "CFB8";
    default: return NULL;
    }
}

static bool is_key_length(CCAlgorithm alg, size_t count) {
    if (alg == kCCAlgorithmAES)
        return count == kCCKeySizeAES128 || count == kCCKeySizeAES192 || count == kCCKeySizeAES256;
    return count >= algorithms[alg].shortest_key && count <= algorithms[alg].longest_key;
}

/// @return The cipher; null if OpenSSL does not have it in this mode.
static Cipher *fetch(const Libcrypto *openssl, CCAlgorithm alg, CCMode mode, size_t key_length) {
    const Algorithm *algorithm = &algorithms[alg];
    char name[32];
    if (algorithm->is_legacy && !libcrypto_load_legacy(openssl)) return NULL;
    if (alg == kCCAlgorithmRC4)
        snprintf(name, sizeof name, "RC4");
    else if (alg == kCCAlgorithmAES)
        snprintf(name, sizeof name, "AES-%zu-%s", key_length * 8, mode_name(mode));
    else
        snprintf(name, sizeof name, "%s-%s", algorithm->name, mode_name(mode));
    return openssl->fetch_cipher(openssl->library, name, NULL);
}

// MARK: - Making one

/// Gives the cipher its key. OpenSSL makes a copy of the key.
static CCCryptorStatus begin(
    CCCryptorRef cryptor, CCAlgorithm alg, const Cipher *cipher, const void *key, size_t key_length, const void *iv) {
    const Libcrypto *openssl = cryptor->openssl;
    const unsigned char zeros[longest_block] = {0};
    unsigned char three[kCCKeySize3DES];
    if (alg == kCCAlgorithmDES) {
        for (int part = 0; part < 3; part++) memcpy(three + part * kCCKeySizeDES, key, kCCKeySizeDES);
        key = three;
    }
    bool done = openssl->begin(cryptor->context, cipher, NULL, NULL, NULL, cryptor->encrypts) == 1;
    if (algorithms[alg].has_key_length) done = done && openssl->set_key_length(cryptor->context, (int)key_length) == 1;
    // All bits of an RC2 key count, as on Apple's platforms. OpenSSL's default is 128 for every length.
    if (alg == kCCAlgorithmRC2)
        done = done && openssl->control(cryptor->context, set_rc2_key_bits, (int)key_length * 8, NULL) == 1;
    done = done && openssl->set_padding(cryptor->context, cryptor->padded) == 1;
    done = done && openssl->begin(cryptor->context, NULL, NULL, key, iv ? iv : zeros, -1) == 1;
    explicit_bzero(three, sizeof three);
    return done ? kCCSuccess : kCCUnimplemented;
}

static CCCryptorStatus make(
    const Libcrypto *openssl, CCOperation op, CCMode mode, CCAlgorithm alg, CCPadding padding, const void *iv,
    const void *key, size_t key_length, CCCryptorRef *result) {
    Cipher *cipher = fetch(openssl, alg, mode, key_length);
    if (cipher == NULL) return kCCUnimplemented;
    CCCryptorRef cryptor = calloc(1, sizeof *cryptor);
    CCCryptorStatus status = kCCMemoryFailure;
    if (cryptor != NULL) {
        const bool has_blocks = mode == kCCModeECB || mode == kCCModeCBC;
        cryptor->openssl = openssl;
        cryptor->context = openssl->new_context();
        cryptor->mode = mode;
        cryptor->block_size = has_blocks ? algorithms[alg].block_size : 1;
        cryptor->encrypts = op == kCCEncrypt;
        cryptor->padded = has_blocks && padding == ccPKCS7Padding;
        if (cryptor->context != NULL) status = begin(cryptor, alg, cipher, key, key_length, iv);
    }
    openssl->free_cipher(cipher);
    if (status == kCCSuccess)
        *result = cryptor;
    else
        CCCryptorRelease(cryptor);
    return status;
}

CCCryptorStatus CCCryptorCreateWithMode(
    CCOperation op, CCMode mode, CCAlgorithm alg, CCPadding padding, const void *iv, const void *key,
    size_t keyLength, const void *tweak, size_t tweakLength, int numRounds, CCModeOptions options,
    CCCryptorRef *cryptorRef) {
    (void)tweak, (void)tweakLength, (void)numRounds, (void)options;
    if (cryptorRef == NULL) return kCCParamError;
    *cryptorRef = NULL;
    if (key == NULL || op > kCCDecrypt || alg > kCCAlgorithmBlowfish) return kCCParamError;
    if (alg == kCCAlgorithmRC4) mode = kCCModeRC4;
    if (mode_name(mode) == NULL) return kCCParamError;
    if (mode == kCCModeRC4 && alg != kCCAlgorithmRC4) return kCCUnimplemented;
    if (!is_key_length(alg, keyLength)) return kCCKeySizeError;
    const Libcrypto *openssl = libcrypto();
    if (openssl == NULL) return kCCUnimplemented;
    openssl->set_mark();
    const CCCryptorStatus status = make(openssl, op, mode, alg, padding, iv, key, keyLength, cryptorRef);
    openssl->pop_to_mark();
    return status;
}

CCCryptorStatus CCCryptorCreate(
    CCOperation op, CCAlgorithm alg, CCOptions options, const void *key, size_t keyLength, const void *iv,
    CCCryptorRef *cryptorRef) {
    const CCMode mode = options & kCCOptionECBMode ? kCCModeECB : kCCModeCBC;
    const CCPadding padding = options & kCCOptionPKCS7Padding ? ccPKCS7Padding : ccNoPadding;
    return CCCryptorCreateWithMode(op, mode, alg, padding, iv, key, keyLength, NULL, 0, 0, 0, cryptorRef);
}

CCCryptorStatus CCCryptorCreateFromData(
    CCOperation op, CCAlgorithm alg, CCOptions options, const void *key, size_t keyLength, const void *iv,
    const void *data, size_t dataLength, CCCryptorRef *cryptorRef, size_t *dataUsed) {
    if (dataUsed != NULL) *dataUsed = sizeof(void *);
    if (data == NULL || dataLength < sizeof(void *)) return kCCBufferTooSmall;
    return CCCryptorCreate(op, alg, options, key, keyLength, iv, cryptorRef);
}

CCCryptorStatus CCCryptorRelease(CCCryptorRef cryptorRef) {
    if (cryptorRef == NULL) return kCCSuccess;
    // Also wipes the key.
    cryptorRef->openssl->free_context(cryptorRef->context);
    explicit_bzero(cryptorRef, sizeof *cryptorRef);
    free(cryptorRef);
    return kCCSuccess;
}

CCCryptorStatus CCCryptorReset(CCCryptorRef cryptorRef, const void *iv) {
    const unsigned char zeros[longest_block] = {0};
    if (cryptorRef == NULL) return kCCParamError;
    if (cryptorRef->mode != kCCModeCBC && cryptorRef->mode != kCCModeCTR) return kCCUnimplemented;
    const Libcrypto *openssl = cryptorRef->openssl;
    openssl->set_mark();
    const int done = openssl->begin(cryptorRef->context, NULL, NULL, NULL, iv ? iv : zeros, -1);
    openssl->pop_to_mark();
    if (done != 1) return kCCUnspecifiedError;
    cryptorRef->held = 0;
    cryptorRef->has_failed = false;
    cryptorRef->has_last = false;
    explicit_bzero(cryptorRef->last, sizeof cryptorRef->last);
    return kCCSuccess;
}

// MARK: - How much comes out

/// How many of `total` bytes are held back after an update.
static size_t held_of(const struct _CCCryptor *cryptor, size_t total) {
    const size_t rest = total % cryptor->block_size;
    const bool keeps_last = cryptor->padded && !cryptor->encrypts;
    return keeps_last && rest == 0 && total > 0 ? cryptor->block_size : rest;
}

size_t CCCryptorGetOutputLength(CCCryptorRef cryptorRef, size_t inputLength, bool final) {
    if (cryptorRef == NULL) return 0;
    if (inputLength > SIZE_MAX - 2 * longest_block) return SIZE_MAX;
    const size_t total = cryptorRef->held + inputLength;
    if (!final) return total - held_of(cryptorRef, total);
    if (!cryptorRef->padded) return total - total % cryptorRef->block_size;
    return cryptorRef->encrypts ? total - total % cryptorRef->block_size + cryptorRef->block_size : total;
}

// MARK: - Data

/// Passes the data to OpenSSL in pieces, because it counts in `int`.
static CCCryptorStatus update(CCCryptorRef cryptor, const unsigned char *input, size_t count, unsigned char *output) {
    const size_t piece = (size_t)1 << 30;
    while (count > 0) {
        const size_t next = count < piece ? count : piece;
        int moved = 0;
        if (cryptor->openssl->update(cryptor->context, output, &moved, input, (int)next) != 1) return kCCUnspecifiedError;
        input += next;
        count -= next;
        output += moved;
    }
    return kCCSuccess;
}

static bool overlap(const unsigned char *input, size_t count, const unsigned char *output, size_t room) {
    const uintptr_t in = (uintptr_t)input, out = (uintptr_t)output;
    return in < out + room && out < in + count;
}

/// Works on a copy of the input, if the output would overwrite input that has not been read yet.
static CCCryptorStatus update_from_copy(
    CCCryptorRef cryptor, const unsigned char *input, size_t count, unsigned char *output) {
    unsigned char *copy = malloc(count);
    if (copy == NULL) return kCCMemoryFailure;
    memcpy(copy, input, count);
    const CCCryptorStatus status = update(cryptor, copy, count, output);
    explicit_bzero(copy, count);
    free(copy);
    return status;
}

static void tell(size_t count, size_t *result) {
    if (result != NULL) *result = count;
}

CCCryptorStatus CCCryptorUpdate(
    CCCryptorRef cryptorRef, const void *dataIn, size_t dataInLength, void *dataOut, size_t dataOutAvailable,
    size_t *dataOutMoved) {
    tell(0, dataOutMoved);
    if (cryptorRef == NULL) return kCCParamError;
    if (dataInLength == 0) return kCCSuccess;
    if (cryptorRef->has_failed || cryptorRef->has_last) return kCCCallSequenceError;
    if (dataIn == NULL) return kCCParamError;
    const size_t needed = CCCryptorGetOutputLength(cryptorRef, dataInLength, false);
    if (needed > dataOutAvailable) {
        tell(needed, dataOutMoved);
        return kCCBufferTooSmall;
    }
    unsigned char nowhere[longest_block];
    if (dataOut == NULL && needed > 0) return kCCParamError;
    unsigned char *output = needed == 0 ? nowhere : dataOut;
    cryptorRef->openssl->set_mark();
    // If bytes were held back, they are written first, so the output is ahead of the input.
    const bool in_step = dataIn == dataOut && cryptorRef->held == 0;
    const CCCryptorStatus status = !in_step && overlap(dataIn, dataInLength, output, needed)
                                       ? update_from_copy(cryptorRef, dataIn, dataInLength, output)
                                       : update(cryptorRef, dataIn, dataInLength, output);
    cryptorRef->openssl->pop_to_mark();
    if (status != kCCSuccess) return status;
    cryptorRef->held = held_of(cryptorRef, cryptorRef->held + dataInLength);
    tell(needed, dataOutMoved);
    return kCCSuccess;
}

/// Encrypts or decrypts the last block into `last`.
static CCCryptorStatus finish(CCCryptorRef cryptor) {
    int moved = 0;
    cryptor->openssl->set_mark();
    // OpenSSL writes a whole block, even if fewer bytes count.
    const int done = cryptor->openssl->finish(cryptor->context, cryptor->last, &moved);
    cryptor->openssl->pop_to_mark();
    if (done != 1) {
        explicit_bzero(cryptor->last, sizeof cryptor->last);
        cryptor->has_failed = true;
        return kCCDecodeError;
    }
    cryptor->held = 0;
    cryptor->last_count = (size_t)moved;
    cryptor->has_last = true;
    return kCCSuccess;
}

CCCryptorStatus CCCryptorFinal(CCCryptorRef cryptorRef, void *dataOut, size_t dataOutAvailable, size_t *dataOutMoved) {
    tell(0, dataOutMoved);
    if (cryptorRef == NULL) return kCCSuccess;
    if (cryptorRef->has_failed) return kCCCallSequenceError;
    if (!cryptorRef->has_last) {
        const bool fills_block = cryptorRef->padded && cryptorRef->encrypts;
        if (!fills_block && cryptorRef->held % cryptorRef->block_size != 0) return kCCAlignmentError;
        // There was no input, or all of it was already written.
        if (!cryptorRef->padded || (!cryptorRef->encrypts && cryptorRef->held == 0)) return kCCSuccess;
        const CCCryptorStatus status = finish(cryptorRef);
        if (status != kCCSuccess) return status;
    }
    if (cryptorRef->last_count > dataOutAvailable) {
        tell(cryptorRef->last_count, dataOutMoved);
        return kCCBufferTooSmall;
    }
    if (cryptorRef->last_count > 0 && dataOut == NULL) return kCCParamError;
    if (cryptorRef->last_count > 0) memcpy(dataOut, cryptorRef->last, cryptorRef->last_count);
    tell(cryptorRef->last_count, dataOutMoved);
    explicit_bzero(cryptorRef->last, sizeof cryptorRef->last);
    cryptorRef->has_last = false;
    return kCCSuccess;
}

CCCryptorStatus CCCrypt(
    CCOperation op, CCAlgorithm alg, CCOptions options, const void *key, size_t keyLength, const void *iv,
    const void *dataIn, size_t dataInLength, void *dataOut, size_t dataOutAvailable, size_t *dataOutMoved) {
    CCCryptorRef cryptor = NULL;
    CCCryptorStatus status = CCCryptorCreate(op, alg, options, key, keyLength, iv, &cryptor);
    if (status != kCCSuccess) return status;
    const size_t needed = CCCryptorGetOutputLength(cryptor, dataInLength, true);
    size_t updated = 0, finished = 0;
    tell(needed, dataOutMoved);
    status = needed > dataOutAvailable ? kCCBufferTooSmall : kCCSuccess;
    if (status == kCCSuccess) {
        status = CCCryptorUpdate(cryptor, dataIn, dataInLength, dataOut, dataOutAvailable, &updated);
        if (status == kCCSuccess) {
            unsigned char *rest = dataOut == NULL ? NULL : (unsigned char *)dataOut + updated;
            status = CCCryptorFinal(cryptor, rest, dataOutAvailable - updated, &finished);
        }
        tell(updated + finished, dataOutMoved);
    }
    CCCryptorRelease(cryptor);
    return status;
}

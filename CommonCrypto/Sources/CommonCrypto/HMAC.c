// SPDX-License-Identifier: Apache-2.0

// HMAC, made of two digests as in RFC 2104. OpenSSL's HMAC allocates its context, but Apple's functions have none to
// free it: a copied context would be freed twice, an abandoned one never.

#include <CommonCrypto/CommonHMAC.h>
#include <stdbool.h>
#include <string.h>

#include "Libcrypto.h"

enum { longest_block = 128, longest_code = 64 };

/// The content of a `CCHmacContext`. All zeros before the beginning.
typedef struct {
    /// The algorithm's number plus one.
    uint64_t kind;
    union {
        CC_MD5_CTX md5;
        CC_SHA1_CTX sha1;
        CC_SHA256_CTX sha256;
        CC_SHA512_CTX sha512;
    } inner;
    /// The key for the outer digest.
    unsigned char outer_key[longest_block];
} Code;

_Static_assert(sizeof(Code) <= sizeof(CCHmacContext), "a code does not fit into a context");

typedef struct {
    const DigestFunctions *functions;
    size_t block_size;
    size_t digest_size;
} Kind;

/// @return The digest; its functions are null for an unknown number.
static Kind kind_of(uint32_t algorithm) {
    const Libcrypto *openssl = libcrypto_or_exit();
    switch (algorithm) {
    case kCCHmacAlgMD5: return (Kind){&openssl->md5, CC_MD5_BLOCK_BYTES, CC_MD5_DIGEST_LENGTH};
    case kCCHmacAlgSHA1: return (Kind){&openssl->sha1, CC_SHA1_BLOCK_BYTES, CC_SHA1_DIGEST_LENGTH};
    case kCCHmacAlgSHA224: return (Kind){&openssl->sha224, CC_SHA224_BLOCK_BYTES, CC_SHA224_DIGEST_LENGTH};
    case kCCHmacAlgSHA256: return (Kind){&openssl->sha256, CC_SHA256_BLOCK_BYTES, CC_SHA256_DIGEST_LENGTH};
    case kCCHmacAlgSHA384: return (Kind){&openssl->sha384, CC_SHA384_BLOCK_BYTES, CC_SHA384_DIGEST_LENGTH};
    case kCCHmacAlgSHA512: return (Kind){&openssl->sha512, CC_SHA512_BLOCK_BYTES, CC_SHA512_DIGEST_LENGTH};
    default: return (Kind){NULL, 0, 0};
    }
}

/// The number of bytes that wait in the inner digest. OpenSSL uses it as an index.
static unsigned waiting(const Code *code, uint32_t algorithm) {
    switch (algorithm) {
    case kCCHmacAlgMD5: return (unsigned)code->inner.md5.num;
    case kCCHmacAlgSHA1: return (unsigned)code->inner.sha1.num;
    case kCCHmacAlgSHA224:
    case kCCHmacAlgSHA256: return (unsigned)code->inner.sha256.num;
    default: return (unsigned)code->inner.sha512.num;
    }
}

/// The kind of a code that was begun. The context may contain any bytes.
static Kind kind_begun(const Code *code) {
    uint32_t algorithm = (uint32_t)code->kind - 1;
    Kind kind = kind_of(algorithm);
    bool is_sound = kind.functions != NULL && waiting(code, algorithm) < kind.block_size;
    return is_sound ? kind : (Kind){NULL, 0, 0};
}

/// Writes the key as one block. A longer key is digested first.
static void fill_block(Kind kind, const void *key, size_t count, unsigned char block[longest_block]) {
    memset(block, 0, longest_block);
    if (count <= kind.block_size) {
        if (count > 0) memcpy(block, key, count);
        return;
    }
    Code code;
    kind.functions->begin(&code.inner);
    kind.functions->update(&code.inner, key, count);
    kind.functions->finish(block, &code.inner);
    explicit_bzero(&code, sizeof code);
}

static void mask(unsigned char *block, size_t count, unsigned char with) {
    for (size_t index = 0; index < count; index++) block[index] ^= with;
}

void CCHmacInit(CCHmacContext *ctx, CCHmacAlgorithm algorithm, const void *key, size_t keyLength) {
    if (ctx == NULL) return;
    memset(ctx, 0, sizeof *ctx);
    Kind kind = kind_of(algorithm);
    if (kind.functions == NULL || (key == NULL && keyLength > 0)) return;
    Code *code = (Code *)ctx;
    unsigned char inner_key[longest_block];
    code->kind = (uint64_t)algorithm + 1;
    fill_block(kind, key, keyLength, code->outer_key);
    memcpy(inner_key, code->outer_key, sizeof inner_key);
    mask(code->outer_key, kind.block_size, 0x5c);
    mask(inner_key, kind.block_size, 0x36);
    kind.functions->begin(&code->inner);
    kind.functions->update(&code->inner, inner_key, kind.block_size);
    explicit_bzero(inner_key, sizeof inner_key);
}

void CCHmacUpdate(CCHmacContext *ctx, const void *data, size_t dataLength) {
    if (ctx == NULL || data == NULL || dataLength == 0) return;
    Code *code = (Code *)ctx;
    Kind kind = kind_begun(code);
    if (kind.functions != NULL) kind.functions->update(&code->inner, data, dataLength);
}

void CCHmacFinal(CCHmacContext *ctx, void *macOut) {
    if (ctx == NULL) return;
    Code *code = (Code *)ctx;
    Kind kind = kind_begun(code);
    if (kind.functions != NULL && macOut != NULL) {
        unsigned char digest[longest_code];
        kind.functions->finish(digest, &code->inner);
        kind.functions->begin(&code->inner);
        kind.functions->update(&code->inner, code->outer_key, kind.block_size);
        kind.functions->update(&code->inner, digest, kind.digest_size);
        kind.functions->finish(macOut, &code->inner);
        explicit_bzero(digest, sizeof digest);
    }
    explicit_bzero(ctx, sizeof *ctx);
}

void CCHmac(
    CCHmacAlgorithm algorithm, const void *key, size_t keyLength, const void *data, size_t dataLength, void *macOut) {
    CCHmacContext context;
    if (data == NULL && dataLength > 0) return;
    CCHmacInit(&context, algorithm, key, keyLength);
    CCHmacUpdate(&context, data, dataLength);
    CCHmacFinal(&context, macOut);
}

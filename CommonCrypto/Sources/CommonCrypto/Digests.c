// SPDX-License-Identifier: Apache-2.0

#include <CommonCrypto/CommonDigest.h>
#include <string.h>

#include "Libcrypto.h"

// These contexts have OpenSSL's layout. It cannot change, because programs compiled with OpenSSL's headers hold such
// contexts by value.
_Static_assert(sizeof(CC_MD4_CTX) == 92, "MD4_CTX");
_Static_assert(sizeof(CC_MD5_CTX) == 92, "MD5_CTX");
_Static_assert(sizeof(CC_SHA1_CTX) == 96, "SHA_CTX");
_Static_assert(sizeof(CC_SHA256_CTX) == 112, "SHA256_CTX");
_Static_assert(sizeof(CC_SHA512_CTX) == 216, "SHA512_CTX");

/// Whether OpenSSL can use the context safely. It uses the number of waiting bytes as an index.
static bool is_sound(unsigned waiting, unsigned block_size) { return waiting < block_size; }

// The contexts of MD4, MD5 and SHA-1 have no length. They are all zeros before the beginning and after the end.
#define BEGUN_MD(c) (((c)->A | (c)->B | (c)->C | (c)->D) != 0)
#define BEGUN_SHA1(c) (((c)->h0 | (c)->h1 | (c)->h2 | (c)->h3 | (c)->h4) != 0)
#define SAME_LENGTH_224(c) ((c)->length == CC_SHA224_DIGEST_LENGTH)
#define SAME_LENGTH_256(c) ((c)->length == CC_SHA256_DIGEST_LENGTH)
#define SAME_LENGTH_384(c) ((c)->length == CC_SHA384_DIGEST_LENGTH)
#define SAME_LENGTH_512(c) ((c)->length == CC_SHA512_DIGEST_LENGTH)

/// The four functions of a digest. If two digests share a type of context, the length in the context tells them apart.
#define DIGEST(name, member, context_type, fits)                                                     \
    int CC_##name##_Init(context_type *c) {                                                          \
        const Libcrypto *openssl = libcrypto_or_exit();                                              \
        return c == NULL ? 0 : openssl->member.begin(c);                                             \
    }                                                                                                \
                                                                                                     \
    int CC_##name##_Update(context_type *c, const void *data, CC_LONG len) {                         \
        const Libcrypto *openssl = libcrypto_or_exit();                                              \
        if (c == NULL || (data == NULL && len > 0)) return 0;                                        \
        if (!is_sound((unsigned)c->num, CC_##name##_BLOCK_BYTES) || !fits(c)) return 0;              \
        return len == 0 ? 1 : openssl->member.update(c, data, len);                                  \
    }                                                                                                \
                                                                                                     \
    int CC_##name##_Final(unsigned char *md, context_type *c) {                                      \
        const Libcrypto *openssl = libcrypto_or_exit();                                              \
        int done;                                                                                    \
        if (c == NULL || md == NULL) return 0;                                                       \
        if (!is_sound((unsigned)c->num, CC_##name##_BLOCK_BYTES) || !fits(c)) return 0;              \
        done = openssl->member.finish(md, c);                                                        \
        explicit_bzero(c, sizeof *c);                                                                \
        return done;                                                                                 \
    }                                                                                                \
                                                                                                     \
    unsigned char *CC_##name(const void *data, CC_LONG len, unsigned char *md) {                     \
        context_type c;                                                                              \
        if (md == NULL || (data == NULL && len > 0)) return NULL;                                    \
        if (CC_##name##_Init(&c) == 1 && CC_##name##_Update(&c, data, len) == 1 && CC_##name##_Final(md, &c) == 1) \
            return md;                                                                               \
        explicit_bzero(&c, sizeof c);                                                                \
        return NULL;                                                                                 \
    }

DIGEST(MD4, md4, CC_MD4_CTX, BEGUN_MD)
DIGEST(MD5, md5, CC_MD5_CTX, BEGUN_MD)
DIGEST(SHA1, sha1, CC_SHA1_CTX, BEGUN_SHA1)
DIGEST(SHA224, sha224, CC_SHA256_CTX, SAME_LENGTH_224)
DIGEST(SHA256, sha256, CC_SHA256_CTX, SAME_LENGTH_256)
DIGEST(SHA384, sha384, CC_SHA512_CTX, SAME_LENGTH_384)
DIGEST(SHA512, sha512, CC_SHA512_CTX, SAME_LENGTH_512)

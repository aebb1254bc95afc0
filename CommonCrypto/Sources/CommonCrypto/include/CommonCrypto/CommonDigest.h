// SPDX-License-Identifier: Apache-2.0

/// Digests.
///
/// A context is a plain value. You may copy it to continue twice from the same point, and you may abandon it.
///
/// The functions need OpenSSL 3; those of MD2 need Nettle. Without the library they print a message and end the
/// process, so that nobody takes missing output for a digest.

#ifndef COMMONCRYPTO_COMMONDIGEST_H
#define COMMONCRYPTO_COMMONDIGEST_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A number of 32 bits, such as the length of data in bytes.
typedef uint32_t CC_LONG;

/// A number of 64 bits.
typedef uint64_t CC_LONG64;

/// The length of a digest in bytes.
#define CC_MD2_DIGEST_LENGTH 16
/// The length of a block in bytes, as Apple's headers define it for MD2.
#define CC_MD2_BLOCK_BYTES 64
/// The length of a block in 32-bit numbers.
#define CC_MD2_BLOCK_LONG (CC_MD2_BLOCK_BYTES / sizeof(CC_LONG))

/// The length of a digest in bytes.
#define CC_MD4_DIGEST_LENGTH 16
/// The length of a block in bytes.
#define CC_MD4_BLOCK_BYTES 64
/// The length of a block in 32-bit numbers.
#define CC_MD4_BLOCK_LONG (CC_MD4_BLOCK_BYTES / sizeof(CC_LONG))

/// The length of a digest in bytes.
#define CC_MD5_DIGEST_LENGTH 16
/// The length of a block in bytes.
#define CC_MD5_BLOCK_BYTES 64
/// The length of a block in 32-bit numbers.
#define CC_MD5_BLOCK_LONG (CC_MD5_BLOCK_BYTES / sizeof(CC_LONG))

/// The length of a digest in bytes.
#define CC_SHA1_DIGEST_LENGTH 20
/// The length of a block in bytes.
#define CC_SHA1_BLOCK_BYTES 64
/// The length of a block in 32-bit numbers.
#define CC_SHA1_BLOCK_LONG (CC_SHA1_BLOCK_BYTES / sizeof(CC_LONG))

/// The length of a digest in bytes.
#define CC_SHA224_DIGEST_LENGTH 28
/// The length of a block in bytes.
#define CC_SHA224_BLOCK_BYTES 64

/// The length of a digest in bytes.
#define CC_SHA256_DIGEST_LENGTH 32
/// The length of a block in bytes.
#define CC_SHA256_BLOCK_BYTES 64

/// The length of a digest in bytes.
#define CC_SHA384_DIGEST_LENGTH 48
/// The length of a block in bytes.
#define CC_SHA384_BLOCK_BYTES 128

/// The length of a digest in bytes.
#define CC_SHA512_DIGEST_LENGTH 64
/// The length of a block in bytes.
#define CC_SHA512_BLOCK_BYTES 128

/// An unfinished MD2 digest.
typedef struct CC_MD2state_st {
    int num;
    unsigned char data[CC_MD2_DIGEST_LENGTH];
    CC_LONG cksm[CC_MD2_BLOCK_LONG];
    CC_LONG state[CC_MD2_BLOCK_LONG];
} CC_MD2_CTX;

/// An unfinished MD4 digest.
typedef struct CC_MD4state_st {
    CC_LONG A, B, C, D;
    CC_LONG Nl, Nh;
    CC_LONG data[CC_MD4_BLOCK_LONG];
    uint32_t num;
} CC_MD4_CTX;

/// An unfinished MD5 digest.
typedef struct CC_MD5state_st {
    CC_LONG A, B, C, D;
    CC_LONG Nl, Nh;
    CC_LONG data[CC_MD5_BLOCK_LONG];
    int num;
} CC_MD5_CTX;

/// An unfinished SHA-1 digest.
typedef struct CC_SHA1state_st {
    CC_LONG h0, h1, h2, h3, h4;
    CC_LONG Nl, Nh;
    CC_LONG data[CC_SHA1_BLOCK_LONG];
    int num;
} CC_SHA1_CTX;

/// An unfinished SHA-224 or SHA-256 digest.
typedef struct CC_SHA256state_st {
    CC_LONG hash[8];
    CC_LONG count[2];
    CC_LONG wbuf[16];
    CC_LONG num, length;
} CC_SHA256_CTX;

/// An unfinished SHA-384 or SHA-512 digest.
typedef struct CC_SHA512state_st {
    CC_LONG64 hash[8];
    CC_LONG64 count[2];
    CC_LONG64 wbuf[16];
    CC_LONG num, length;
} CC_SHA512_CTX;

// For each digest:
//
// - _Init begins a digest.
// - _Update adds `len` bytes of data.
// - _Final writes the digest to `md` and wipes the context.
// - The function without a suffix does all three, and returns `md`.
//
// The first three return 1, or 0 if they wrote nothing: if a pointer is missing, if the context is all zeros (never
// begun, or finished), or if it was begun for the other digest of its type. They do not always notice other bytes in a
// context that was never begun. The last function returns null if a pointer is missing.

/// Begins an MD2. MD2 is obsolete and protects nothing.
extern int CC_MD2_Init(CC_MD2_CTX *c);
/// Adds data.
extern int CC_MD2_Update(CC_MD2_CTX *c, const void *data, CC_LONG len);
/// Writes the MD2.
extern int CC_MD2_Final(unsigned char *md, CC_MD2_CTX *c);
/// Computes the MD2 of data.
extern unsigned char *CC_MD2(const void *data, CC_LONG len, unsigned char *md);

/// Begins an MD4. MD4 protects nothing: collisions are easy to find.
extern int CC_MD4_Init(CC_MD4_CTX *c);
/// Adds data.
extern int CC_MD4_Update(CC_MD4_CTX *c, const void *data, CC_LONG len);
/// Writes the MD4.
extern int CC_MD4_Final(unsigned char *md, CC_MD4_CTX *c);
/// Computes the MD4 of data.
extern unsigned char *CC_MD4(const void *data, CC_LONG len, unsigned char *md);

/// Begins an MD5. MD5 protects nothing: collisions are easy to find.
extern int CC_MD5_Init(CC_MD5_CTX *c);
/// Adds data.
extern int CC_MD5_Update(CC_MD5_CTX *c, const void *data, CC_LONG len);
/// Writes the MD5.
extern int CC_MD5_Final(unsigned char *md, CC_MD5_CTX *c);
/// Computes the MD5 of data.
extern unsigned char *CC_MD5(const void *data, CC_LONG len, unsigned char *md);

/// Begins a SHA-1.
extern int CC_SHA1_Init(CC_SHA1_CTX *c);
/// Adds data.
extern int CC_SHA1_Update(CC_SHA1_CTX *c, const void *data, CC_LONG len);
/// Writes the SHA-1.
extern int CC_SHA1_Final(unsigned char *md, CC_SHA1_CTX *c);
/// Computes the SHA-1 of data.
extern unsigned char *CC_SHA1(const void *data, CC_LONG len, unsigned char *md);

/// Begins a SHA-224.
extern int CC_SHA224_Init(CC_SHA256_CTX *c);
/// Adds data.
extern int CC_SHA224_Update(CC_SHA256_CTX *c, const void *data, CC_LONG len);
/// Writes the SHA-224.
extern int CC_SHA224_Final(unsigned char *md, CC_SHA256_CTX *c);
/// Computes the SHA-224 of data.
extern unsigned char *CC_SHA224(const void *data, CC_LONG len, unsigned char *md);

/// Begins a SHA-256.
extern int CC_SHA256_Init(CC_SHA256_CTX *c);
/// Adds data.
extern int CC_SHA256_Update(CC_SHA256_CTX *c, const void *data, CC_LONG len);
/// Writes the SHA-256.
extern int CC_SHA256_Final(unsigned char *md, CC_SHA256_CTX *c);
/// Computes the SHA-256 of data.
extern unsigned char *CC_SHA256(const void *data, CC_LONG len, unsigned char *md);

/// Begins a SHA-384.
extern int CC_SHA384_Init(CC_SHA512_CTX *c);
/// Adds data.
extern int CC_SHA384_Update(CC_SHA512_CTX *c, const void *data, CC_LONG len);
/// Writes the SHA-384.
extern int CC_SHA384_Final(unsigned char *md, CC_SHA512_CTX *c);
/// Computes the SHA-384 of data.
extern unsigned char *CC_SHA384(const void *data, CC_LONG len, unsigned char *md);

/// Begins a SHA-512.
extern int CC_SHA512_Init(CC_SHA512_CTX *c);
/// Adds data.
extern int CC_SHA512_Update(CC_SHA512_CTX *c, const void *data, CC_LONG len);
/// Writes the SHA-512.
extern int CC_SHA512_Final(unsigned char *md, CC_SHA512_CTX *c);
/// Computes the SHA-512 of data.
extern unsigned char *CC_SHA512(const void *data, CC_LONG len, unsigned char *md);

#ifdef __cplusplus
}
#endif

#endif

// SPDX-License-Identifier: Apache-2.0

// The functions of OpenSSL 3 that this package uses. They are loaded when one is first needed.
//
// Why not swift-crypto: it has no DES, no ECB, no MD4, no SHA-224 and no cipher that takes data in pieces. The
// BoringSSL inside it has most of them, but no released version exports it. Nothing is linked and no header is needed:
// programs build and start without OpenSSL.

#ifndef LIBCRYPTO_H
#define LIBCRYPTO_H

#include <stdbool.h>
#include <stddef.h>

typedef struct EVP_CIPHER Cipher;
typedef struct EVP_CIPHER_CTX CipherContext;
typedef struct EVP_MD Digest;
typedef struct ENGINE Engine;
typedef struct OSSL_LIB_CTX LibraryContext;
typedef struct OSSL_PROVIDER Provider;

/// The three functions of a digest whose context is a plain value.
typedef struct {
    int (*begin)(void *context);
    int (*update)(void *context, const void *data, size_t count);
    int (*finish)(unsigned char *digest, void *context);
} DigestFunctions;

typedef struct {
    DigestFunctions md4, md5, sha1, sha224, sha256, sha384, sha512;
    const Digest *(*digest_sha1)(void), *(*digest_sha224)(void), *(*digest_sha256)(void), *(*digest_sha384)(void),
        *(*digest_sha512)(void);
    int (*pbkdf2)(
        const char *password, int password_length, const unsigned char *salt, int salt_length, int rounds,
        const Digest *digest, int key_length, unsigned char *key);
    Cipher *(*fetch_cipher)(LibraryContext *library, const char *name, const char *properties);
    void (*free_cipher)(Cipher *cipher);
    CipherContext *(*new_context)(void);
    void (*free_context)(CipherContext *context);
    int (*begin)(
        CipherContext *context, const Cipher *cipher, Engine *engine, const unsigned char *key, const unsigned char *iv,
        int encrypts);
    int (*set_padding)(CipherContext *context, int padded);
    int (*set_key_length)(CipherContext *context, int count);
    int (*control)(CipherContext *context, int kind, int number, void *pointer);
    void (*set_flags)(CipherContext *context, int flags);
    int (*update)(CipherContext *context, unsigned char *output, int *moved, const unsigned char *input, int count);
    int (*finish)(CipherContext *context, unsigned char *output, int *moved);
    LibraryContext *(*new_library)(void);
    void (*free_library)(LibraryContext *library);
    Provider *(*load_provider)(LibraryContext *library, const char *name);
    int (*set_mark)(void);
    int (*pop_to_mark)(void);
    /// This package's own context, so that no setting of the process or the machine changes the ciphers.
    LibraryContext *library;
} Libcrypto;

/// The functions; null if OpenSSL 3 is not installed.
const Libcrypto *libcrypto(void);

/// The functions. Ends the process if OpenSSL 3 is not installed, for callers that cannot report an error.
const Libcrypto *libcrypto_or_exit(void);

/// Loads OpenSSL's legacy module with old ciphers. False if it is not installed.
bool libcrypto_load_legacy(const Libcrypto *functions);

#endif

// SPDX-License-Identifier: Apache-2.0

#include "Libcrypto.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const library_name = "libcrypto.so.3";

/// Finds a function. Sets `*complete` to false if it is missing.
static void find(void *handle, const char *name, void *function, bool *complete) {
    void *address = dlsym(handle, name);
    // dlsym only works where function pointers have the size of object pointers.
    *(void **)function = address;
    if (address == NULL) *complete = false;
}

static void find_digest(void *handle, const char *const names[3], DigestFunctions *functions, bool *complete) {
    find(handle, names[0], &functions->begin, complete);
    find(handle, names[1], &functions->update, complete);
    find(handle, names[2], &functions->finish, complete);
}

#define FIND_DIGEST(name, member) \
    find_digest(handle, (const char *const[3]){#name "_Init", #name "_Update", #name "_Final"}, &found->member, &complete)

static bool find_digests(void *handle, Libcrypto *found) {
    bool complete = true;
    FIND_DIGEST(MD4, md4);
    FIND_DIGEST(MD5, md5);
    FIND_DIGEST(SHA1, sha1);
    FIND_DIGEST(SHA224, sha224);
    FIND_DIGEST(SHA256, sha256);
    FIND_DIGEST(SHA384, sha384);
    FIND_DIGEST(SHA512, sha512);
    find(handle, "EVP_sha1", &found->digest_sha1, &complete);
    find(handle, "EVP_sha224", &found->digest_sha224, &complete);
    find(handle, "EVP_sha256", &found->digest_sha256, &complete);
    find(handle, "EVP_sha384", &found->digest_sha384, &complete);
    find(handle, "EVP_sha512", &found->digest_sha512, &complete);
    find(handle, "PKCS5_PBKDF2_HMAC", &found->pbkdf2, &complete);
    return complete;
}

static bool find_ciphers(void *handle, Libcrypto *found) {
    bool complete = true;
    find(handle, "EVP_CIPHER_fetch", &found->fetch_cipher, &complete);
    find(handle, "EVP_CIPHER_free", &found->free_cipher, &complete);
    find(handle, "EVP_CIPHER_CTX_new", &found->new_context, &complete);
    find(handle, "EVP_CIPHER_CTX_free", &found->free_context, &complete);
    find(handle, "EVP_CipherInit_ex", &found->begin, &complete);
    find(handle, "EVP_CIPHER_CTX_set_padding", &found->set_padding, &complete);
    find(handle, "EVP_CIPHER_CTX_set_key_length", &found->set_key_length, &complete);
    find(handle, "EVP_CIPHER_CTX_ctrl", &found->control, &complete);
    find(handle, "EVP_CIPHER_CTX_set_flags", &found->set_flags, &complete);
    find(handle, "EVP_CipherUpdate", &found->update, &complete);
    find(handle, "EVP_CipherFinal_ex", &found->finish, &complete);
    find(handle, "OSSL_LIB_CTX_new", &found->new_library, &complete);
    find(handle, "OSSL_LIB_CTX_free", &found->free_library, &complete);
    find(handle, "OSSL_PROVIDER_load", &found->load_provider, &complete);
    find(handle, "ERR_set_mark", &found->set_mark, &complete);
    find(handle, "ERR_pop_to_mark", &found->pop_to_mark, &complete);
    return complete;
}

/// Makes OpenSSL ignore the machine's settings and register no exit handler, which would race with running threads.
static bool begin_library(void *handle) {
    int (*initialize)(uint64_t options, const void *settings);
    bool complete = true;
    find(handle, "OPENSSL_init_crypto", &initialize, &complete);
    return complete && initialize(0x00080000 | 0x00000080, NULL) == 1;
}

static Libcrypto *load(void) {
    void *handle = dlopen(library_name, RTLD_NOW | RTLD_LOCAL);
    Libcrypto *found = handle == NULL ? NULL : calloc(1, sizeof *found);
    if (found == NULL) return NULL;
    if (find_digests(handle, found) && find_ciphers(handle, found) && begin_library(handle)) {
        found->library = found->new_library();
        if (found->library != NULL && found->load_provider(found->library, "default") != NULL) return found;
        found->free_library(found->library);
    }
    free(found);
    return NULL;
}

const Libcrypto *libcrypto(void) {
    // No lock is used: if the process forks while another thread holds one, it stays locked in the child. If several
    // threads come first, one wins, and the others discard what they have made.
    static _Atomic(Libcrypto *) shared;
    Libcrypto *found = atomic_load_explicit(&shared, memory_order_acquire);
    Libcrypto *made;
    if (found != NULL) return found;
    made = load();
    if (made == NULL) return NULL;
    if (atomic_compare_exchange_strong(&shared, &found, made)) return made;
    made->free_library(made->library);
    free(made);
    return found;
}

const Libcrypto *libcrypto_or_exit(void) {
    const Libcrypto *functions = libcrypto();
    if (functions != NULL) return functions;
    fprintf(stderr, "CommonCrypto: there is no %s. Install OpenSSL 3 (Debian: libssl3).\n", library_name);
    abort();
}

bool libcrypto_load_legacy(const Libcrypto *functions) {
    // If two threads load the module, OpenSSL counts it twice, and it stays loaded.
    static atomic_bool loaded;
    if (atomic_load(&loaded)) return true;
    if (functions->load_provider(functions->library, "legacy") == NULL) return false;
    atomic_store(&loaded, true);
    return true;
}

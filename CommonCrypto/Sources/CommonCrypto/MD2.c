// SPDX-License-Identifier: Apache-2.0

#include <CommonCrypto/CommonDigest.h>
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// MD2 comes from Nettle, because OpenSSL 3 is built without it. As with OpenSSL, nothing is linked and no header is
// needed.

static const char *const library_name = "libnettle.so.8";

/// Nettle's context. Of its members, only `index` is used here: the number of bytes that wait in `block`.
typedef struct {
    uint8_t checksum[16];
    uint8_t state[48];
    unsigned index;
    uint8_t block[16];
} Context;

// Nettle's context is stored in the place of Apple's checksum and state.
_Static_assert(sizeof(CC_MD2_CTX) == 148, "CC_MD2_CTX");
_Static_assert(sizeof(Context) <= sizeof(CC_MD2_CTX) - offsetof(CC_MD2_CTX, cksm), "room for Nettle's context");

static void *find_or_exit(const char *name) {
    // No lock is needed: all threads find the same, and the linker loads a library only once.
    void *handle = dlopen(library_name, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    void *function = handle == NULL ? NULL : dlsym(handle, name);
    if (function != NULL) return function;
    fprintf(stderr, "CommonCrypto: MD2 needs %s. Install Nettle (Debian: libnettle8).\n", library_name);
    abort();
}

#define FUNCTION(variable, name)                                                     \
    static _Atomic(void *) variable##_found;                                         \
    void *variable##_address = atomic_load(&variable##_found);                       \
    if (variable##_address == NULL) {                                                \
        variable##_address = find_or_exit(name);                                     \
        atomic_store(&variable##_found, variable##_address);                         \
    }                                                                                \
    *(void **)&variable = variable##_address

/// Reads the context, if it was begun.
static bool read_context(const CC_MD2_CTX *c, Context *context) {
    if (c->num != 1) return false;
    memcpy(context, (const char *)c + offsetof(CC_MD2_CTX, cksm), sizeof *context);
    return context->index < sizeof context->block;
}

static void write_context(CC_MD2_CTX *c, Context *context) {
    c->num = 1;
    memcpy((char *)c + offsetof(CC_MD2_CTX, cksm), context, sizeof *context);
    explicit_bzero(context, sizeof *context);
}

int CC_MD2_Init(CC_MD2_CTX *c) {
    void (*begin)(Context *context);
    Context context;
    FUNCTION(begin, "nettle_md2_init");
    if (c == NULL) return 0;
    begin(&context);
    memset(c, 0, sizeof *c);
    write_context(c, &context);
    return 1;
}

int CC_MD2_Update(CC_MD2_CTX *c, const void *data, CC_LONG len) {
    void (*update)(Context *context, size_t length, const uint8_t *data);
    Context context;
    FUNCTION(update, "nettle_md2_update");
    if (c == NULL || (data == NULL && len > 0) || !read_context(c, &context)) return 0;
    if (len > 0) update(&context, len, data);
    write_context(c, &context);
    return 1;
}

int CC_MD2_Final(unsigned char *md, CC_MD2_CTX *c) {
    void (*finish)(Context *context, size_t length, uint8_t *digest);
    Context context;
    FUNCTION(finish, "nettle_md2_digest");
    if (c == NULL || md == NULL || !read_context(c, &context)) return 0;
    finish(&context, CC_MD2_DIGEST_LENGTH, md);
    explicit_bzero(&context, sizeof context);
    explicit_bzero(c, sizeof *c);
    return 1;
}

unsigned char *CC_MD2(const void *data, CC_LONG len, unsigned char *md) {
    CC_MD2_CTX c;
    if (md == NULL || (data == NULL && len > 0)) return NULL;
    if (CC_MD2_Init(&c) == 1 && CC_MD2_Update(&c, data, len) == 1 && CC_MD2_Final(md, &c) == 1) return md;
    explicit_bzero(&c, sizeof c);
    return NULL;
}

// SPDX-License-Identifier: Apache-2.0

/// Two functions of Apple's `<string.h>` that glibc does not have.

#ifndef COMMONCRYPTO_MEMORYFUNCTIONS_H
#define COMMONCRYPTO_MEMORYFUNCTIONS_H

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifndef __APPLE__

/// An error number of the system.
typedef int errno_t;

/// The size of memory in bytes, at most `SIZE_MAX / 2`.
typedef size_t rsize_t;

/// Fills memory. Compilers never remove this call, so it can wipe secrets.
///
/// @param s The memory.
/// @param smax The size of the memory in bytes.
/// @param c The byte to fill it with.
/// @param n The number of bytes to fill.
/// @return 0; `EINVAL` if there is no memory; `E2BIG` if the size is above `SIZE_MAX / 2`; `EOVERFLOW` if there are
///     fewer than `n` bytes, after all of them were filled.
static inline errno_t memset_s(void *s, rsize_t smax, int c, rsize_t n) {
    volatile unsigned char *byte = (volatile unsigned char *)s;
    rsize_t count = n < smax ? n : smax;
    if (s == NULL) return EINVAL;
    if (smax > SIZE_MAX / 2) return E2BIG;
    while (count-- > 0) *byte++ = (unsigned char)c;
    return n > smax ? EOVERFLOW : 0;
}

/// Compares memory in a time that does not reveal where it differs.
///
/// @param b1 Some memory.
/// @param b2 Other memory.
/// @param len The number of bytes to compare.
/// @return 0 if they are equal, otherwise another number.
static inline int timingsafe_bcmp(const void *b1, const void *b2, size_t len) {
    const volatile unsigned char *first = (const volatile unsigned char *)b1;
    const volatile unsigned char *second = (const volatile unsigned char *)b2;
    unsigned char difference = 0;
    while (len-- > 0) difference |= (unsigned char)(*first++ ^ *second++);
    return difference != 0;
}

#endif

#endif

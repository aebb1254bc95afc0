// SPDX-License-Identifier: Apache-2.0

/// Two functions that Apple's `<string.h>` has and glibc's has not.

#ifndef COMMONCRYPTO_MEMORYFUNCTIONS_H
#define COMMONCRYPTO_MEMORYFUNCTIONS_H

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifndef __APPLE__

/// An error number of the system.
typedef int errno_t;

/// The size of memory in bytes, not above half of what a `size_t` can hold.
typedef size_t rsize_t;

/// Fills memory, which no compiler leaves out, so that it can wipe secrets.
///
/// @param s The memory.
/// @param smax Its size in bytes.
/// @param c The byte to fill it with.
/// @param n How many bytes to fill.
/// @return 0; `EINVAL` without memory; `E2BIG` if the size is above `SIZE_MAX / 2`; `EOVERFLOW` if there is less memory than
///     there are bytes to fill, after all of it was filled.
static inline errno_t memset_s(void *s, rsize_t smax, int c, rsize_t n) {
    volatile unsigned char *byte = (volatile unsigned char *)s;
    rsize_t count = n < smax ? n : smax;
    if (s == NULL) return EINVAL;
    if (smax > SIZE_MAX / 2) return E2BIG;
    while (count-- > 0) *byte++ = (unsigned char)c;
    return n > smax ? EOVERFLOW : 0;
}

/// Compares memory in a time that says nothing of where it differs.
///
/// @param b1 Some memory.
/// @param b2 Some more.
/// @param len How many bytes to compare.
/// @return 0 if they are equal, else another number.
static inline int timingsafe_bcmp(const void *b1, const void *b2, size_t len) {
    const volatile unsigned char *first = (const volatile unsigned char *)b1;
    const volatile unsigned char *second = (const volatile unsigned char *)b2;
    unsigned char difference = 0;
    while (len-- > 0) difference |= (unsigned char)(*first++ ^ *second++);
    return difference != 0;
}

#endif

#endif

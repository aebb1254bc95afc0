// SPDX-License-Identifier: Apache-2.0

#include <CommonCrypto/CommonRandom.h>
#include <errno.h>
#include <sys/random.h>

CCRNGStatus CCRandomGenerateBytes(void *bytes, size_t count) {
    unsigned char *next = bytes;
    if (count > 0 && bytes == NULL) return kCCParamError;
    while (count > 0) {
        ssize_t filled = getrandom(next, count, 0);
        if (filled < 0 && errno == EINTR) continue;
        if (filled <= 0) return kCCRNGFailure;
        next += filled;
        count -= (size_t)filled;
    }
    return kCCSuccess;
}

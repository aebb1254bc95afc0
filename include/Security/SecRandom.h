#pragma GCC system_header
// SPDX-License-Identifier: Apache-2.0

// Made by Scripts/make-constants from Data: change it there.
//
// Random bytes for cryptography.

#pragma once

#include <Security/SecBase.h>

CF_EXTERN_C_BEGIN
CF_ASSUME_NONNULL_BEGIN

/// A source of random bytes.
typedef const struct __SecRandom *SecRandomRef;

/// The only source of random bytes: the operating system's.
extern const SecRandomRef kSecRandomDefault;

/// Fills a buffer with random bytes. `rnd` is `kSecRandomDefault`. Gives `errSecSuccess`.
int SecRandomCopyBytes(SecRandomRef _Nullable rnd, size_t count, void *bytes);

CF_ASSUME_NONNULL_END
CF_EXTERN_C_END

#pragma GCC system_header
// SPDX-License-Identifier: Apache-2.0

// Made by Scripts/make-constants from Data: change it there.
//
// A new password for a website.

#pragma once

#include <Security/SecBase.h>

CF_EXTERN_C_BEGIN
CF_ASSUME_NONNULL_BEGIN

// MARK: - Keys of the credentials that apps and websites share

// Entries

/// The password of a shared web credential. String.
extern const CFStringRef kSecSharedPassword;

/// Makes a password that is easy to read.
CFStringRef _Nullable SecCreateSharedWebCredentialPassword(void);

#if defined(__BLOCKS__)
/// Calls the block on another thread, with `errSecUnimplemented`.
void SecAddSharedWebCredential(CFStringRef fqdn, CFStringRef account, CFStringRef _Nullable password, void (^completionHandler)(CFErrorRef _Nullable error));
#endif

#if defined(__BLOCKS__)
/// Calls the block on another thread, with `errSecUnimplemented`.
void SecRequestSharedWebCredential(CFStringRef _Nullable fqdn, CFStringRef _Nullable account, void (^completionHandler)(CFArrayRef _Nullable credentials, CFErrorRef _Nullable error));
#endif

CF_ASSUME_NONNULL_END
CF_EXTERN_C_END

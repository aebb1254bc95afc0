#pragma GCC system_header
// SPDX-License-Identifier: Apache-2.0

// Made by Scripts/make-constants from Data: change it there.
//
// The running process and its entitlements.

#pragma once

#include <Security/SecBase.h>

CF_EXTERN_C_BEGIN
CF_ASSUME_NONNULL_BEGIN

/// Gives the identifier of the type, to compare with the result of `CFGetTypeID`.
CFTypeID SecTaskGetTypeID(void);

/// Gives the running process.
SecTaskRef _Nullable SecTaskCreateFromSelf(CFAllocatorRef _Nullable allocator);

/// Gives the value of an entitlement.
CFTypeRef _Nullable SecTaskCopyValueForEntitlement(SecTaskRef task, CFStringRef entitlement, CFErrorRef _Nullable *_Nullable error);

/// Gives the values of several entitlements.
CFDictionaryRef _Nullable SecTaskCopyValuesForEntitlements(SecTaskRef task, CFArrayRef entitlements, CFErrorRef _Nullable *_Nullable error);

/// Gives the identifier of the application.
CFStringRef _Nullable SecTaskCopySigningIdentifier(SecTaskRef task, CFErrorRef _Nullable *_Nullable error);

CF_ASSUME_NONNULL_END
CF_EXTERN_C_END

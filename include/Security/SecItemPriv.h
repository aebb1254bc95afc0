#pragma GCC system_header
// SPDX-License-Identifier: Apache-2.0

// Made by Scripts/make-constants: change it there.
//
// What programs in C use beyond the public headers.

#pragma once

#include <Security/SecItem.h>

CF_EXTERN_C_BEGIN
CF_ASSUME_NONNULL_BEGIN

/// Whether a delete leaves tombstones. Boolean. Without it, none is left.
extern const CFStringRef kSecUseTombstones;

/// Whether it is the tombstone of a deleted item. Boolean. Queries without it find no tombstones.
extern const CFStringRef kSecAttrTombstone;

/// When the key becomes valid. Date, part of the primary key. Keys.
extern const CFStringRef kSecAttrStartDate;

/// When the key becomes invalid. Date, part of the primary key. Keys.
extern const CFStringRef kSecAttrEndDate;

/// The SHA-1 digest of an item's attributes and secrets, as a result has it. Data.
extern const CFStringRef kSecAttrSHA1;

CF_ASSUME_NONNULL_END
CF_EXTERN_C_END

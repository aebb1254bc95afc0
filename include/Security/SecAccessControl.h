#pragma GCC system_header
// SPDX-License-Identifier: Apache-2.0

// Made by Scripts/make-constants from Data: change it there.
//
// The conditions under which an item can be used.

#pragma once

#include <Security/SecBase.h>

CF_EXTERN_C_BEGIN
CF_ASSUME_NONNULL_BEGIN

// MARK: - The conditions of an access control

/// The conditions of an item's access control: what the user has to do before the item can be used, and what a key is
/// for.
typedef CF_OPTIONS(CFOptionFlags, SecAccessControlCreateFlags) {
    /// The user proves presence with a finger, a face or the passcode. Can be combined only with
    /// `kSecAccessControlApplicationPassword` and `kSecAccessControlPrivateKeyUsage`.
    kSecAccessControlUserPresence = 1u << 0,
    /// Any enrolled finger or face.
    kSecAccessControlBiometryAny = 1u << 1,
    /// Any enrolled finger. Deprecated by Apple in favour of `kSecAccessControlBiometryAny`.
    kSecAccessControlTouchIDAny = 1u << 1,
    /// A finger or face enrolled when the item was made; a change of enrolment invalidates the item.
    kSecAccessControlBiometryCurrentSet = 1u << 3,
    /// A finger enrolled when the item was made. Deprecated by Apple in favour of
    /// `kSecAccessControlBiometryCurrentSet`.
    kSecAccessControlTouchIDCurrentSet = 1u << 3,
    /// The passcode of the device.
    kSecAccessControlDevicePasscode = 1u << 4,
    /// A paired watch nearby. Deprecated by Apple in favour of `kSecAccessControlCompanion`.
    kSecAccessControlWatch = 1u << 5,
    /// A paired device nearby.
    kSecAccessControlCompanion = 1u << 5,
    /// One of the conditions is enough. Excludes `kSecAccessControlAnd`.
    kSecAccessControlOr = 1u << 14,
    /// All conditions must hold. Excludes `kSecAccessControlOr`.
    kSecAccessControlAnd = 1u << 15,
    /// The item is a private key for signatures and key agreement.
    kSecAccessControlPrivateKeyUsage = 1u << 30,
    /// The encryption also depends on a password that the application sets.
    kSecAccessControlApplicationPassword = 1u << 31,
};

/// Gives the identifier of the type, to compare with the result of `CFGetTypeID`.
CFTypeID SecAccessControlGetTypeID(void);

/// Makes an access control of one of the values `kSecAttrAccessible…` and conditions.
SecAccessControlRef _Nullable SecAccessControlCreateWithFlags(CFAllocatorRef _Nullable allocator, CFTypeRef protection, SecAccessControlCreateFlags flags, CFErrorRef _Nullable *_Nullable error);

CF_ASSUME_NONNULL_END
CF_EXTERN_C_END

// SPDX-License-Identifier: Apache-2.0

// Made by Scripts/make-constants from Data/constants.tsv: change it there.
//
// Values of `kSecAttrAccessible`, `kSecAttrSynchronizable`, `kSecAttrTokenID` and `kSecAttrAccessGroup`.

import Foundation

// MARK: - Accessible

/// Readable while the device is unlocked. The default of passwords and keys.
public nonisolated(unsafe) let kSecAttrAccessibleWhenUnlocked: CFString = "ak"

/// Readable from the first unlock after start-up until the device shuts down.
public nonisolated(unsafe) let kSecAttrAccessibleAfterFirstUnlock: CFString = "ck"

/// Readable at any time, locked or not. Deprecated by Apple, which advises `kSecAttrAccessibleAfterFirstUnlock`.
public nonisolated(unsafe) let kSecAttrAccessibleAlways: CFString = "dk"

/// Readable while the device is unlocked, and only as long as it has a passcode. Never leaves the device.
public nonisolated(unsafe) let kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly: CFString = "akpu"

/// Readable while the device is unlocked. Never leaves the device.
public nonisolated(unsafe) let kSecAttrAccessibleWhenUnlockedThisDeviceOnly: CFString = "aku"

/// Readable from the first unlock after start-up. Never leaves the device.
public nonisolated(unsafe) let kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly: CFString = "cku"

/// Readable at any time. Never leaves the device. Deprecated by Apple, which advises
/// `kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly`.
public nonisolated(unsafe) let kSecAttrAccessibleAlwaysThisDeviceOnly: CFString = "dku"

// MARK: - Synchronizable

/// In a query: items that synchronise and items that do not. Never stored.
public nonisolated(unsafe) let kSecAttrSynchronizableAny: CFString = "syna"

// MARK: - Tokens

/// Keeps a new key in Apple's Secure Enclave. On Linux a TPM 2.0 takes its place, in programs that build the package
/// with its trait `TPM`.
public nonisolated(unsafe) let kSecAttrTokenIDSecureEnclave: CFString = "com.apple.setoken"

/// The access group of items on tokens. Read only.
public nonisolated(unsafe) let kSecAttrAccessGroupToken: CFString = "com.apple.token"

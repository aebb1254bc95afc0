// SPDX-License-Identifier: Apache-2.0

// Made by Scripts/make-constants from Data/constants.tsv: change it there.
//
// Keys that say how a call is carried out.

import Foundation

// MARK: - Which items, which keychain

/// Work on these items instead of the stored ones. Array. Deprecated by Apple on iOS, where it never worked.
public nonisolated(unsafe) let kSecUseItemList: CFString = "u_ItemList"

/// The macOS file keychain to add to. Accepted for source compatibility.
public nonisolated(unsafe) let kSecUseKeychain: CFString = "u_Keychain"

/// Whether to use the data protection keychain on macOS. Boolean. The keychain here always behaves as that one.
public nonisolated(unsafe) let kSecUseDataProtectionKeychain: CFString = "nleg"

/// Whether to use the keychain that all users of a tvOS device share. Boolean.
public nonisolated(unsafe) let kSecUseUserIndependentKeychain: CFString = "u_UserIndependentKeychain"

// MARK: - Authentication

/// The reason shown when the user is asked. String. Deprecated by Apple in favour of `kSecUseAuthenticationContext`.
public nonisolated(unsafe) let kSecUseOperationPrompt: CFString = "u_OpPrompt"

/// Whether to fail instead of asking the user. Boolean. Deprecated by Apple in favour of `kSecUseAuthenticationUI`.
public nonisolated(unsafe) let kSecUseNoAuthenticationUI: CFString = "u_NoAuthUI"

/// Whether the user may be asked, as one of the `kSecUseAuthenticationUI…` values.
public nonisolated(unsafe) let kSecUseAuthenticationUI: CFString = "u_AuthUI"

/// The `LAContext` to authenticate with.
public nonisolated(unsafe) let kSecUseAuthenticationContext: CFString = "u_AuthCtx"

// MARK: - Values of `kSecUseAuthenticationUI`

/// The user may be asked. The default. Deprecated by Apple in favour of `kSecUseAuthenticationContext`.
public nonisolated(unsafe) let kSecUseAuthenticationUIAllow: CFString = "u_AuthUIA"

/// Fail with `errSecInteractionNotAllowed` instead of asking. Deprecated by Apple in favour of
/// `kSecUseAuthenticationContext`.
public nonisolated(unsafe) let kSecUseAuthenticationUIFail: CFString = "u_AuthUIF"

/// Leave out the items that need the user. For `SecItemCopyMatching` only.
public nonisolated(unsafe) let kSecUseAuthenticationUISkip: CFString = "u_AuthUIS"

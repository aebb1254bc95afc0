// SPDX-License-Identifier: Apache-2.0

// Made by Scripts/make-constants from Data/constants.tsv: change it there.
//
// Keys for the import of PKCS #12 and other files.

import Foundation

// MARK: - Options

/// The passphrase of the file. String, or data in UTF-8.
public nonisolated(unsafe) let kSecImportExportPassphrase: CFString = "passphrase"

/// The macOS file keychain to import into. Accepted for source compatibility.
public nonisolated(unsafe) let kSecImportExportKeychain: CFString = "keychain"

/// The access object for imported items. Accepted for source compatibility.
public nonisolated(unsafe) let kSecImportExportAccess: CFString = "access"

/// Whether the imported items stay out of the keychain. Boolean.
public nonisolated(unsafe) let kSecImportToMemoryOnly: CFString = "memory"

// MARK: - Entries of a result

/// The name of the item. String.
public nonisolated(unsafe) let kSecImportItemLabel: CFString = "label"

/// The identifier of the item's key. Data.
public nonisolated(unsafe) let kSecImportItemKeyID: CFString = "keyid"

/// A trust object for the item's chain. `SecTrust`.
public nonisolated(unsafe) let kSecImportItemTrust: CFString = "trust"

/// The certificates of the item's chain. Array of `SecCertificate`.
public nonisolated(unsafe) let kSecImportItemCertChain: CFString = "chain"

/// The certificate and private key of the item. `SecIdentity`.
public nonisolated(unsafe) let kSecImportItemIdentity: CFString = "identity"

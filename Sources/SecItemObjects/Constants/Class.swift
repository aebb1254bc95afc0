// SPDX-License-Identifier: Apache-2.0

// Made by Scripts/make-constants from Data/constants.tsv: change it there.
//
// The class of an item, which a query names.

import Foundation

// MARK: - The key

/// The class of the items that a query selects, or of a new item. Its value is one of the `kSecClass…` values.
public nonisolated(unsafe) let kSecClass: CFString = "class"

// MARK: - Its values

/// Passwords and other secrets, identified by account and service.
public nonisolated(unsafe) let kSecClassGenericPassword: CFString = "genp"

/// Passwords of network accounts, identified by account, server, protocol, port, path and other attributes.
public nonisolated(unsafe) let kSecClassInternetPassword: CFString = "inet"

/// X.509 certificates, identified by type, issuer and serial number.
public nonisolated(unsafe) let kSecClassCertificate: CFString = "cert"

/// Cryptographic keys, identified by label, tag, type, size and other attributes.
public nonisolated(unsafe) let kSecClassKey: CFString = "keys"

/// Certificates together with their private keys. The keychain joins the items of these two classes; it stores no
/// identities.
public nonisolated(unsafe) let kSecClassIdentity: CFString = "idnt"

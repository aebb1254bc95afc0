// SPDX-License-Identifier: Apache-2.0

// Made by Scripts/make-constants from Data/constants.tsv: change it there.
//
// The class of an item: the first thing every query says.

import Foundation

// MARK: - The key

/// Says which class of items a query or a new item is about. Its value is one of the `kSecClass…` values.
public nonisolated(unsafe) let kSecClass: CFString = "class"

// MARK: - Its values

/// Passwords and other secrets known by account and service.
public nonisolated(unsafe) let kSecClassGenericPassword: CFString = "genp"

/// Passwords of network accounts, known by account, server, protocol, port and path.
public nonisolated(unsafe) let kSecClassInternetPassword: CFString = "inet"

/// X.509 certificates, known by issuer and serial number.
public nonisolated(unsafe) let kSecClassCertificate: CFString = "cert"

/// Cryptographic keys, known by label, tag, type and size.
public nonisolated(unsafe) let kSecClassKey: CFString = "keys"

/// Certificates together with their private keys. A view of two classes, not a store of its own.
public nonisolated(unsafe) let kSecClassIdentity: CFString = "idnt"

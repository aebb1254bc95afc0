// SPDX-License-Identifier: Apache-2.0

// Made by Scripts/make-constants from Data/constants.tsv: change it there.
//
// Keys of the dictionary that describes a pair of keys to make.

import Foundation

// MARK: - Halves of a pair

/// Attributes of the private key alone. Dictionary.
public nonisolated(unsafe) let kSecPrivateKeyAttrs: CFString = "private"

/// Attributes of the public key alone. Dictionary.
public nonisolated(unsafe) let kSecPublicKeyAttrs: CFString = "public"

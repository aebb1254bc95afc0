// SPDX-License-Identifier: Apache-2.0

// Made by Scripts/make-constants from Data/constants.tsv: change it there.
//
// Keys that say what a call gives back. Each takes a boolean. If more than one is true, each result is a dictionary.

import Foundation

// MARK: - Kinds of result

/// Return the secret of the item, or the bytes of a key or certificate, as data.
public nonisolated(unsafe) let kSecReturnData: CFString = "r_Data"

/// Return the attributes of the item, as a dictionary.
public nonisolated(unsafe) let kSecReturnAttributes: CFString = "r_Attributes"

/// Return an object: `SecKey`, `SecCertificate` or `SecIdentity`.
public nonisolated(unsafe) let kSecReturnRef: CFString = "r_Ref"

/// Return a reference that can be stored and stays valid in later runs, as data.
public nonisolated(unsafe) let kSecReturnPersistentRef: CFString = "r_PersistentRef"

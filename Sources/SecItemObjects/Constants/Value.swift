// SPDX-License-Identifier: Apache-2.0

// Made by Scripts/make-constants from Data/constants.tsv: change it there.
//
// Keys for the value of an item, in a query as in a result.

import Foundation

// MARK: - Kinds of value

/// The secret of the item. Data.
public nonisolated(unsafe) let kSecValueData: CFString = "v_Data"

/// The item as an object: `SecKey`, `SecCertificate` or `SecIdentity`.
public nonisolated(unsafe) let kSecValueRef: CFString = "v_Ref"

/// The persistent reference of the item. Data.
public nonisolated(unsafe) let kSecValuePersistentRef: CFString = "v_PersistentRef"

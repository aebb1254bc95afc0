// SPDX-License-Identifier: Apache-2.0

// Made by Scripts/make-constants from Data/constants.tsv: change it there.
//
// Keys of the credentials that apps and websites share.

import Foundation

// MARK: - Entries

/// The password of a shared web credential. String.
public nonisolated(unsafe) let kSecSharedPassword: CFString = "spwd"

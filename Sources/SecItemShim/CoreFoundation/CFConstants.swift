// SPDX-License-Identifier: Apache-2.0

// The constant objects of Core Foundation that keychain code uses.

import Foundation

/// The null object.
public let kCFNull: CFNull! = NSNull()

/// The entry of an information property list that holds the bundle identifier.
public nonisolated(unsafe) let kCFBundleIdentifierKey: CFString! = "CFBundleIdentifier"

// SPDX-License-Identifier: Apache-2.0

// The constant objects of Core Foundation that keychain code uses.

import Foundation

/// True, as an object.
public let kCFBooleanTrue: CFBoolean! = NSNumber(value: true)

/// False, as an object.
public let kCFBooleanFalse: CFBoolean! = NSNumber(value: false)

/// The null object.
public let kCFNull: CFNull! = NSNull()

/// The entry of an information property list that holds the bundle identifier.
public nonisolated(unsafe) let kCFBundleIdentifierKey: CFString! = "CFBundleIdentifier"

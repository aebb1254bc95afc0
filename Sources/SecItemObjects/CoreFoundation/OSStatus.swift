// SPDX-License-Identifier: Apache-2.0

// Result codes and four-character codes.

/// Four ASCII characters in a number.
public typealias FourCharCode = UInt32

/// Four ASCII characters that name a type or creator.
public typealias OSType = FourCharCode

/// The result of a call: `errSecSuccess`, or one of the other `errSec…` values.
public typealias OSStatus = Int32

/// Success, for any function that gives an `OSStatus`.
public let noErr: OSStatus = 0

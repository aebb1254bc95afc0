// SPDX-License-Identifier: Apache-2.0

// Core Foundation's collections take and give objects as raw pointers, which a client makes with `Unmanaged` or
// `unsafeBitCast`, and does not own. Every element is an object here, whatever the collection's callbacks say.

import Foundation

/// The object at an address.
func object(at pointer: UnsafeRawPointer?) -> AnyObject? {
    pointer.map { Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue() }
}

/// The address of an object that a collection holds.
///
/// - Parameters:
///   - stored: Where the collection keeps it. For an object that is not one of Foundation's this is a box.
///   - value: What the collection gives to Swift, without the box.
func address(of stored: UnsafeRawPointer?, _ value: Any?) -> UnsafeRawPointer? {
    guard let value, type(of: value) is AnyClass, !(value is NSObject) else { return stored }
    return UnsafeRawPointer(Unmanaged.passUnretained(value as AnyObject).toOpaque())
}

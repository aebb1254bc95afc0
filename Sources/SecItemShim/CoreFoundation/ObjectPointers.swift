// SPDX-License-Identifier: Apache-2.0

// Core Foundation's collections exchange objects as raw pointers, which a client makes with `Unmanaged` or
// `unsafeBitCast` and does not own. Here every element is an object, whatever the collection's callbacks are.

import Foundation

/// The object at an address.
func object(at pointer: UnsafeRawPointer?) -> AnyObject? {
    pointer.map { Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue() }
}

/// The address of an object that a collection holds.
///
/// - Parameters:
///   - stored: The collection's own pointer. For an object that is not a Foundation object, it points to a box.
///   - value: The value that the collection gives to Swift, without the box.
func address(of stored: UnsafeRawPointer?, _ value: Any?) -> UnsafeRawPointer? {
    guard let value, type(of: value) is AnyClass, !(value is NSObject) else { return stored }
    return UnsafeRawPointer(Unmanaged.passUnretained(value as AnyObject).toOpaque())
}

// SPDX-License-Identifier: Apache-2.0

// Core Foundation's collections exchange objects as raw pointers, which a client makes with `Unmanaged` or
// `unsafeBitCast` and does not own. Here every element is an object, whatever the collection's callbacks are.
//
// Foundation on Linux keeps an object that is not an `NSObject` in a box, also a `SecKey`, and gives Swift the object without
// it. The C functions below Foundation know only the box.

internal import CoreFoundation
import Foundation
import SecItemStore

/// The object at an address.
func object(at pointer: UnsafeRawPointer?) -> AnyObject? {
    pointer.map { Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue() }
}

/// The object at an address as the key of a dictionary; nil if it is not hashable. Foundation ends the process for
/// such a key.
func key(at pointer: UnsafeRawPointer?) -> AnyHashable? {
    object(at: pointer) as? AnyHashable
}

/// Passes on the address under which a collection would keep an object: that of its box, if it is in one.
func withStoredObject<Result>(_ pointer: UnsafeRawPointer?, _ body: (UnsafeRawPointer?) -> Result) -> Result {
    guard let object = object(at: pointer), !(object is NSObject) else { return body(pointer) }
    let array = NSArray(object: object)
    let table = unsafeBitCast(array, to: CoreFoundation.CFArray.self)
    return withExtendedLifetime(array) { body(CoreFoundation.CFArrayGetValueAtIndex(table, 0)) }
}

/// The address of the object in a box, or of the object itself if it is in none.
func addressWithoutBox(_ stored: UnsafeRawPointer?) -> UnsafeRawPointer? {
    address(of: stored, object(at: stored).map(withoutBox))
}

/// The object in a box, or for which a reference of a program in C stands, or else the object itself.
///
/// A cast from `Any` looks into the box, and one from an object does not.
func withoutBox(_ object: AnyObject) -> AnyObject {
    guard type(of: object) == Box.type else { return ReferencesOfC.referent(of: object) ?? object }
    return NSArray(object: object).firstObject.map { $0 as AnyObject } ?? object
}

/// The objects that stand for objects of this library in programs in C, which `SecItemC` makes.
package enum ReferencesOfC {
    /// Swift would wrap a bare function in one more closure each time that the lock gives it out.
    private struct Reader {
        let referent: @Sendable (AnyObject) -> AnyObject?
    }

    // Nil in Swift programs. It is set before the first such object is made.
    private static let reader = LockedValue<Reader?>(nil)

    /// Sets what finds the object for which another one stands.
    package static func read(with reader: @escaping @Sendable (AnyObject) -> AnyObject?) {
        Self.reader.withLock { $0 = Reader(referent: reader) }
    }

    static func referent(of object: AnyObject) -> AnyObject? {
        reader.withLock { $0 }?.referent(object)
    }
}

private enum Box {
    private final class Content: Sendable {}

    /// Foundation's class of boxes, which it does not publish.
    static let type: AnyClass = withStoredObject(Unmanaged.passUnretained(content).toOpaque()) { stored in
        SecItemObjects.object(at: stored).map { Swift.type(of: $0) } ?? Content.self
    }

    private static let content = Content()
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

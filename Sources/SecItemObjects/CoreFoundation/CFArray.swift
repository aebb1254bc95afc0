// SPDX-License-Identifier: Apache-2.0

// Core Foundation's functions on arrays. A position outside the array is not an error here: nothing happens, and the
// result is `nil`.

internal import CoreFoundation
import Foundation

/// The callbacks of an array for its elements. They are ignored: elements are always objects, and the array retains
/// them.
public struct CFArrayCallBacks: Sendable {
    /// Zero.
    public var version: CFIndex = 0

    /// Makes default callbacks.
    public init() {}
}

/// The callbacks for arrays of objects.
public let kCFTypeArrayCallBacks = CFArrayCallBacks()

// MARK: - Making arrays

/// Makes an array.
///
/// - Parameters:
///   - allocator: Not used.
///   - values: The addresses of the objects. None of them may be `nil`.
///   - numValues: How many there are.
///   - callBacks: Not used.
/// - Returns: The array, or `nil` if the number is negative or an object is missing.
@discardableResult
public func CFArrayCreate(
    _ allocator: CFAllocator!, _ values: UnsafeMutablePointer<UnsafeRawPointer?>!, _ numValues: CFIndex,
    _ callBacks: UnsafePointer<CFArrayCallBacks>!
) -> CFArray! {
    guard numValues >= 0, values != nil || numValues == 0 else { return nil }
    let objects = UnsafeBufferPointer(start: values, count: numValues).compactMap { object(at: $0) }
    return objects.count == numValues ? NSArray(array: objects) : nil
}

/// Makes an array with the same elements.
@discardableResult
public func CFArrayCreateCopy(_ allocator: CFAllocator!, _ theArray: CFArray!) -> CFArray! {
    theArray?.copy() as? NSArray
}

/// Makes an empty mutable array.
///
/// - Returns: The array, or `nil` if the capacity is negative. The capacity has no other use.
@discardableResult
public func CFArrayCreateMutable(
    _ allocator: CFAllocator!, _ capacity: CFIndex, _ callBacks: UnsafePointer<CFArrayCallBacks>!
) -> CFMutableArray! {
    capacity < 0 ? nil : NSMutableArray()
}

/// Makes a mutable array with the same elements.
///
/// - Returns: The array, or `nil` if the capacity is negative. The capacity has no other use.
@discardableResult
public func CFArrayCreateMutableCopy(
    _ allocator: CFAllocator!, _ capacity: CFIndex, _ theArray: CFArray!
) -> CFMutableArray! {
    capacity < 0 ? nil : theArray?.mutableCopy() as? NSMutableArray
}

// MARK: - Reading arrays

/// Gives the number of elements.
@discardableResult
public func CFArrayGetCount(_ theArray: CFArray!) -> CFIndex {
    theArray?.count ?? 0
}

/// An array that makes each element when it is first read, and keeps it.
package protocol LazyArray: NSArray {
    /// The element. It is the same object each time. Any thread may call this.
    func element(at index: Int) -> AnyObject
}

/// Gives the address of an element, which the array retains.
@discardableResult
public func CFArrayGetValueAtIndex(_ theArray: CFArray!, _ idx: CFIndex) -> UnsafeRawPointer! {
    guard let array = theArray, 0..<array.count ~= idx else { return nil }
    // Foundation would keep the object that it receives, which is not safe in two threads at once.
    if let results = array as? any LazyArray {
        return UnsafeRawPointer(Unmanaged.passUnretained(results.element(at: idx)).toOpaque())
    }
    let table = unsafeBitCast(array, to: CoreFoundation.CFArray.self)
    return address(of: CoreFoundation.CFArrayGetValueAtIndex(table, idx), array.object(at: idx))
}

/// Gives the addresses of some of the elements.
public func CFArrayGetValues(
    _ theArray: CFArray!, _ range: CFRange, _ values: UnsafeMutablePointer<UnsafeRawPointer?>!
) {
    guard let array = theArray, let values, let positions = range.positions(in: array.count) else { return }
    for (offset, position) in positions.enumerated() { values[offset] = CFArrayGetValueAtIndex(array, position) }
}

/// Tells whether an object is in a range of the elements.
@discardableResult
public func CFArrayContainsValue(_ theArray: CFArray!, _ range: CFRange, _ value: UnsafeRawPointer!) -> Bool {
    !positions(of: value, in: theArray, range).isEmpty
}

/// Counts an object in a range of the elements.
@discardableResult
public func CFArrayGetCountOfValue(_ theArray: CFArray!, _ range: CFRange, _ value: UnsafeRawPointer!) -> CFIndex {
    positions(of: value, in: theArray, range).count
}

/// Gives the first position of an object in a range of the elements, or -1.
@discardableResult
public func CFArrayGetFirstIndexOfValue(_ theArray: CFArray!, _ range: CFRange, _ value: UnsafeRawPointer!) -> CFIndex {
    positions(of: value, in: theArray, range).first ?? -1
}

/// Gives the last position of an object in a range of the elements, or -1.
@discardableResult
public func CFArrayGetLastIndexOfValue(_ theArray: CFArray!, _ range: CFRange, _ value: UnsafeRawPointer!) -> CFIndex {
    positions(of: value, in: theArray, range).last ?? -1
}

private func positions(of value: UnsafeRawPointer?, in array: CFArray?, _ range: CFRange) -> [Int] {
    guard let array, let object = object(at: value), let positions = range.positions(in: array.count) else { return [] }
    return positions.filter { CFEqual(array.object(at: $0) as AnyObject, object) }
}

// MARK: - Changing arrays

/// Adds an object at the end.
public func CFArrayAppendValue(_ theArray: CFMutableArray!, _ value: UnsafeRawPointer!) {
    guard let object = object(at: value) else { return }
    theArray?.add(object)
}

/// Adds a range of another array's elements at the end.
public func CFArrayAppendArray(_ theArray: CFMutableArray!, _ otherArray: CFArray!, _ otherRange: CFRange) {
    guard let array = theArray, let other = otherArray, let positions = otherRange.positions(in: other.count) else {
        return
    }
    array.addObjects(from: positions.map { other.object(at: $0) })
}

/// Inserts an object before an element, or at the end.
public func CFArrayInsertValueAtIndex(_ theArray: CFMutableArray!, _ idx: CFIndex, _ value: UnsafeRawPointer!) {
    guard let array = theArray, let object = object(at: value), 0...array.count ~= idx else { return }
    array.insert(object, at: idx)
}

/// Replaces an element, or adds one at the end.
public func CFArraySetValueAtIndex(_ theArray: CFMutableArray!, _ idx: CFIndex, _ value: UnsafeRawPointer!) {
    guard let array = theArray, let object = object(at: value), 0...array.count ~= idx else { return }
    if idx == array.count { array.add(object) } else { array.replaceObject(at: idx, with: object) }
}

/// Removes an element.
public func CFArrayRemoveValueAtIndex(_ theArray: CFMutableArray!, _ idx: CFIndex) {
    guard let array = theArray, 0..<array.count ~= idx else { return }
    array.removeObject(at: idx)
}

/// Removes all elements.
public func CFArrayRemoveAllValues(_ theArray: CFMutableArray!) {
    theArray?.removeAllObjects()
}

/// Gives the number of elements.
@discardableResult
public func CFSetGetCount(_ theSet: CFSet!) -> CFIndex {
    theSet?.count ?? 0
}

/// Tells whether an object is in a set.
@discardableResult
public func CFSetContainsValue(_ theSet: CFSet!, _ value: UnsafeRawPointer!) -> Bool {
    guard let set = theSet, let object = object(at: value) else { return false }
    return set.contains(object)
}

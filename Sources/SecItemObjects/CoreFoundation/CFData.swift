// SPDX-License-Identifier: Apache-2.0

// Core Foundation's functions on data. A range outside the data is not an error here: nothing happens.

import Foundation

// MARK: - Making data

/// Makes data from a copy of bytes.
///
/// - Returns: The data, or `nil` if the length is negative.
@discardableResult
public func CFDataCreate(_ allocator: CFAllocator!, _ bytes: UnsafePointer<UInt8>!, _ length: CFIndex) -> CFData! {
    guard length >= 0 else { return nil }
    return NSData(bytes: bytes, length: bytes == nil ? 0 : length)
}

/// Makes data from bytes without copying them.
///
/// - Parameters:
///   - allocator: Not used.
///   - bytes: The bytes. They must not change during the life of the data.
///   - length: The number of bytes.
///   - bytesDeallocator: Frees the bytes at the end of the data's life. `kCFAllocatorNull` leaves them to the caller;
///     any other allocator calls `free`.
/// - Returns: The data. It is `nil`, and the bytes are not freed, if the length is negative or there are no bytes.
@discardableResult
public func CFDataCreateWithBytesNoCopy(
    _ allocator: CFAllocator!, _ bytes: UnsafePointer<UInt8>!, _ length: CFIndex, _ bytesDeallocator: CFAllocator!
) -> CFData! {
    guard length >= 0 else { return nil }
    guard let bytes else { return length == 0 ? NSData() : nil }
    let isFreed = bytesDeallocator == nil || bytesDeallocator !== kCFAllocatorNull
    return NSData(bytesNoCopy: UnsafeMutableRawPointer(mutating: bytes), length: length, freeWhenDone: isFreed)
}

/// Makes a copy of data.
@discardableResult
public func CFDataCreateCopy(_ allocator: CFAllocator!, _ theData: CFData!) -> CFData! {
    theData.map { NSData(data: $0 as Data) }
}

/// Makes empty mutable data.
///
/// - Returns: The data, or `nil` if the capacity is negative. The capacity has no other use.
@discardableResult
public func CFDataCreateMutable(_ allocator: CFAllocator!, _ capacity: CFIndex) -> CFMutableData! {
    capacity < 0 ? nil : NSMutableData()
}

/// Makes a mutable copy of data.
///
/// - Returns: The data, or `nil` if the capacity is negative. The capacity has no other use.
@discardableResult
public func CFDataCreateMutableCopy(
    _ allocator: CFAllocator!, _ capacity: CFIndex, _ theData: CFData!
) -> CFMutableData! {
    guard capacity >= 0 else { return nil }
    return theData.map { NSMutableData(data: $0 as Data) }
}

// MARK: - Reading data

/// Gives the number of bytes.
@discardableResult
public func CFDataGetLength(_ theData: CFData!) -> CFIndex {
    theData?.length ?? 0
}

/// Gives the address of the bytes, valid until the data is released or changed.
@discardableResult
public func CFDataGetBytePtr(_ theData: CFData!) -> UnsafePointer<UInt8>! {
    guard let data = theData, data.length > 0 else { return nil }
    return data.bytes.assumingMemoryBound(to: UInt8.self)
}

/// Gives the address of mutable bytes, valid until the length changes.
@discardableResult
public func CFDataGetMutableBytePtr(_ theData: CFMutableData!) -> UnsafeMutablePointer<UInt8>! {
    guard let data = theData, data.length > 0 else { return nil }
    return data.mutableBytes.assumingMemoryBound(to: UInt8.self)
}

/// Copies a range of the bytes.
public func CFDataGetBytes(_ theData: CFData!, _ range: CFRange, _ buffer: UnsafeMutablePointer<UInt8>!) {
    guard let data = theData, let buffer, let positions = range.positions(in: data.length) else { return }
    data.getBytes(buffer, range: NSRange(positions))
}

// MARK: - Changing data

/// Adds bytes at the end.
public func CFDataAppendBytes(_ theData: CFMutableData!, _ bytes: UnsafePointer<UInt8>!, _ length: CFIndex) {
    guard let bytes, length > 0 else { return }
    theData?.append(bytes, length: length)
}

/// Sets the length: bytes are removed or zeros added at the end. Does nothing if the length is negative or there is not
/// enough memory.
public func CFDataSetLength(_ theData: CFMutableData!, _ length: CFIndex) {
    guard let data = theData, length >= 0, length <= data.length || hasMemory(forLength: length) else { return }
    data.length = length
}

/// Adds zeros at the end. Does nothing if there is not enough memory.
public func CFDataIncreaseLength(_ theData: CFMutableData!, _ extraLength: CFIndex) {
    guard let data = theData, extraLength > 0 else { return }
    let (length, isTooLong) = data.length.addingReportingOverflow(extraLength)
    if !isTooLong { CFDataSetLength(data, length) }
}

/// Whether there is enough memory for data of this length. Foundation ends the process if there is not, and allocates
/// more than requested.
private func hasMemory(forLength length: Int) -> Bool {
    let (size, isTooLarge) = length.multipliedReportingOverflow(by: 2)
    guard !isTooLarge, let memory = malloc(size) else { return false }
    free(memory)
    return true
}

/// Replaces a range of the bytes.
public func CFDataReplaceBytes(
    _ theData: CFMutableData!, _ range: CFRange, _ newBytes: UnsafePointer<UInt8>!, _ newLength: CFIndex
) {
    guard let data = theData, let positions = range.positions(in: data.length), newLength >= 0 else { return }
    guard newBytes != nil || newLength == 0 else { return }
    data.replaceBytes(in: NSRange(positions), withBytes: newBytes, length: newLength)
}

/// Removes a range of the bytes.
public func CFDataDeleteBytes(_ theData: CFMutableData!, _ range: CFRange) {
    CFDataReplaceBytes(theData, range, nil, 0)
}

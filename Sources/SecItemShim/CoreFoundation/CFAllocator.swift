// SPDX-License-Identifier: Apache-2.0

// The allocator parameter of the functions that create objects.

/// A source of memory. There is only one here; what the constants differ in is how `CFDataCreateWithBytesNoCopy` frees the
/// bytes that it is given.
public final class CFAllocator: Sendable {
    private init() {}

    fileprivate static let malloc = CFAllocator()
    fileprivate static let null = CFAllocator()
}

/// The allocator to pass where one is asked for.
public let kCFAllocatorDefault: CFAllocator! = nil

/// Same as `kCFAllocatorDefault`.
public let kCFAllocatorSystemDefault: CFAllocator! = nil

/// The memory of `malloc` and `free`.
public let kCFAllocatorMalloc: CFAllocator! = CFAllocator.malloc

/// No memory: what it is to free stays as it is.
public let kCFAllocatorNull: CFAllocator! = CFAllocator.null

/// Gives the allocator that an object's memory is from.
@discardableResult
public func CFGetAllocator(_ cf: CFTypeRef!) -> CFAllocator! { kCFAllocatorDefault }

// SPDX-License-Identifier: Apache-2.0

// The allocator parameter of the functions that create objects.

/// An allocator. The constants differ only in how `CFDataCreateWithBytesNoCopy` frees the bytes that it receives.
public final class CFAllocator: Sendable {
    private init() {}

    fileprivate static let malloc = CFAllocator()
    fileprivate static let null = CFAllocator()
}

/// The default allocator.
public let kCFAllocatorDefault: CFAllocator! = nil

/// Same as `kCFAllocatorDefault`.
public let kCFAllocatorSystemDefault: CFAllocator! = nil

/// The memory of `malloc` and `free`.
public let kCFAllocatorMalloc: CFAllocator! = CFAllocator.malloc

/// An allocator that frees nothing: the bytes stay as they are.
public let kCFAllocatorNull: CFAllocator! = CFAllocator.null

/// Gives the allocator of an object's memory.
@discardableResult
public func CFGetAllocator(_ cf: CFTypeRef!) -> CFAllocator! { kCFAllocatorDefault }

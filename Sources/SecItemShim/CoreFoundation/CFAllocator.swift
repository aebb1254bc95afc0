// The allocator parameter of the functions that create objects.

/// A source of memory. There is only one here, and it is always spelt `nil` or `kCFAllocatorDefault`.
public final class CFAllocator: Sendable {
    private init() {}
}

/// The allocator to pass where one is asked for.
public let kCFAllocatorDefault: CFAllocator! = nil

/// Same as `kCFAllocatorDefault`.
public let kCFAllocatorSystemDefault: CFAllocator! = nil

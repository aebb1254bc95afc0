// SPDX-License-Identifier: Apache-2.0

// Two functions of Apple's `<string.h>`, and so of its Foundation, that glibc lacks. The package CommonCrypto has them too;
// where both are imported, its own are taken.

import Foundation

/// Fills memory, which no compiler leaves out, so that it can wipe secrets.
///
/// - Parameters:
///   - s: The memory.
///   - smax: Its size in bytes.
///   - c: The byte to fill it with.
///   - n: How many bytes to fill.
/// - Returns: 0; `EINVAL` without memory; `E2BIG` if the size is too large for any memory; `EOVERFLOW` if there is less
///   memory than there are bytes to fill, after all of it was filled.
@_disfavoredOverload @discardableResult
public func memset_s(_ s: UnsafeMutableRawPointer!, _ smax: Int, _ c: Int32, _ n: Int) -> Int32 {
    guard let s else { return EINVAL }
    guard smax >= 0 else { return E2BIG }
    // A negative number is one beyond all memory, in C.
    let count = n < 0 ? smax : min(n, smax)
    // Never left out; if the second is, the memory is wiped all the same.
    explicit_bzero(s, count)
    if c & 0xff != 0 { memset(s, c, count) }
    return count == n ? 0 : EOVERFLOW
}

/// Compares memory in a time that says nothing of where it differs.
///
/// - Parameters:
///   - b1: Some memory.
///   - b2: Some more.
///   - len: How many bytes to compare.
/// - Returns: 0 if they are equal, else another number.
@_disfavoredOverload @discardableResult
public func timingsafe_bcmp(_ b1: UnsafeRawPointer!, _ b2: UnsafeRawPointer!, _ len: Int) -> Int32 {
    guard len > 0 else { return 0 }
    guard let b1, let b2 else { return 1 }
    let first = UnsafeRawBufferPointer(start: b1, count: len)
    let second = UnsafeRawBufferPointer(start: b2, count: len)
    return zip(first, second).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0 ? 0 : 1
}

// SPDX-License-Identifier: Apache-2.0

// Two functions of Apple's `<string.h>`, and therefore of its Foundation, that glibc lacks. The package CommonCrypto
// also has them; where both are imported, CommonCrypto's are used.

import Foundation

/// Fills memory. No compiler removes the call, so it can wipe secrets.
///
/// - Parameters:
///   - s: The memory.
///   - smax: Its size in bytes.
///   - c: The byte to write.
///   - n: The number of bytes to fill.
/// - Returns: 0; `EINVAL` if `s` is nil; `E2BIG` if the size is larger than any memory; `EOVERFLOW` if `n` exceeds the
///   size, after all of the memory was filled.
@_disfavoredOverload @discardableResult
public func memset_s(_ s: UnsafeMutableRawPointer!, _ smax: Int, _ c: Int32, _ n: Int) -> Int32 {
    guard let s else { return EINVAL }
    guard smax >= 0 else { return E2BIG }
    // In C, a negative number converts to one larger than any memory.
    let count = n < 0 ? smax : min(n, smax)
    // The compiler never removes this call. If it removes the second one, the memory is still wiped.
    explicit_bzero(s, count)
    if c & 0xff != 0 { memset(s, c, count) }
    return count == n ? 0 : EOVERFLOW
}

/// Compares memory in constant time: the duration does not reveal where the bytes differ.
///
/// - Parameters:
///   - b1: The first bytes.
///   - b2: The second bytes.
///   - len: The number of bytes to compare.
/// - Returns: 0 if they are equal, otherwise another number.
@_disfavoredOverload @discardableResult
public func timingsafe_bcmp(_ b1: UnsafeRawPointer!, _ b2: UnsafeRawPointer!, _ len: Int) -> Int32 {
    guard len > 0 else { return 0 }
    guard let b1, let b2 else { return 1 }
    let first = UnsafeRawBufferPointer(start: b1, count: len)
    let second = UnsafeRawBufferPointer(start: b2, count: len)
    return zip(first, second).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0 ? 0 : 1
}

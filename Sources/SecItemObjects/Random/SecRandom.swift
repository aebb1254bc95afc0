// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A source of random bytes. There is one, ``kSecRandomDefault``.
public typealias SecRandomRef = OpaquePointer

/// The system's source of random bytes.
public nonisolated(unsafe) let kSecRandomDefault: SecRandomRef? = nil

/// Fills memory with random bytes, suitable for keys.
///
/// The bytes come from the kernel. Early in the boot of a machine, the call waits until the kernel has gathered enough
/// randomness; after that it never blocks.
///
/// - Parameters:
///   - rnd: Ignored: there is only one source.
///   - count: The number of bytes to write; 0 is allowed.
///   - bytes: Where to write, with space for `count` bytes.
/// - Returns: `errSecSuccess`; `errSecParam` if the count is negative; `errSecNotAvailable` if the kernel gives no
///   bytes. Then do not use the memory.
@discardableResult
public func SecRandomCopyBytes(_ rnd: SecRandomRef?, _ count: Int, _ bytes: UnsafeMutableRawPointer) -> Int32 {
    guard count >= 0 else { return errSecParam }
    var written = 0
    while written < count {
        // `getentropy(3)`, in steps that the kernel never cuts short. Swift does not import `getrandom(2)`.
        let step = min(count - written, 256)
        guard getentropy(bytes + written, step) == 0 else { return errSecNotAvailable }
        written += step
    }
    return errSecSuccess
}

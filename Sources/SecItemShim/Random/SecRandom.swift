// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A source of random bytes. There is one, ``kSecRandomDefault``.
public typealias SecRandomRef = OpaquePointer

/// The system's source of random bytes.
public nonisolated(unsafe) let kSecRandomDefault: SecRandomRef? = nil

/// Fills memory with random bytes that are fit for keys.
///
/// The bytes come from the kernel. Early in the start of a machine the call waits until the kernel has gathered enough
/// randomness; afterwards it never blocks.
///
/// - Parameters:
///   - rnd: Not looked at: there is one source.
///   - count: How many bytes to write. None is fine.
///   - bytes: Where to write; room for `count` bytes.
/// - Returns: `errSecSuccess`; `errSecParam` for a negative count; `errSecNotAvailable` if the kernel gives no bytes,
///   and then the memory must not be used.
@discardableResult
public func SecRandomCopyBytes(_ rnd: SecRandomRef?, _ count: Int, _ bytes: UnsafeMutableRawPointer) -> Int32 {
    guard count >= 0 else { return errSecParam }
    var written = 0
    while written < count {
        // This is getrandom(2), which Swift does not import, in steps that the kernel never cuts short.
        let step = min(count - written, 256)
        guard getentropy(bytes + written, step) == 0 else { return errSecNotAvailable }
        written += step
    }
    return errSecSuccess
}

// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

// Wipes what libraries leave in memory that this package does not manage.

/// Runs `body`, and wipes the blocks of that size that it has freed, as far as the allocator gives them out again.
///
/// The C library keeps the last few freed blocks of a size for the thread that freed them, and gives out the latest
/// first. This function takes some blocks before the call, so that there is room for those of `body`.
package func wipingFreedMemory<Result>(_ byteCount: Int, _ body: () throws -> Result) rethrows -> Result {
    let before = (malloc(byteCount), malloc(byteCount), malloc(byteCount))
    defer {
        let after = (malloc(byteCount), malloc(byteCount), malloc(byteCount))
        wipeAndFree(after.2, byteCount)
        wipeAndFree(after.1, byteCount)
        wipeAndFree(after.0, byteCount)
        free(before.2)
        free(before.1)
        free(before.0)
    }
    return try body()
}

private func wipeAndFree(_ block: UnsafeMutableRawPointer?, _ byteCount: Int) {
    guard let block else { return }
    explicit_bzero(block, byteCount)
    free(block)
}

/// Wipes what calls that have returned have left on this thread's stack: digests and parts of keys.
@inline(never)
package func wipeStack(frames: Int = 6) {
    withUnsafeTemporaryAllocation(byteCount: 1_024, alignment: 16) { frame in
        if frames > 1 { wipeStack(frames: frames - 1) }
        // After the call, so that it is not one that reuses this frame.
        frame.wipe()
    }
}

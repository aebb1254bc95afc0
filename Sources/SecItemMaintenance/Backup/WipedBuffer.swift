// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// Bytes on their way into a backup or out of it, overwritten when they are let go. Used by one thread at a time.
final class WipedBuffer {
    let bytes: UnsafeMutableRawBufferPointer

    /// - Throws: ``StoreError/Code/unavailable`` when there is no memory for them.
    init(count: Int) throws(StoreError) {
        guard let start = malloc(max(count, 1)) else {
            throw StoreError(.unavailable, "there is no memory for \(count) bytes")
        }
        bytes = UnsafeMutableRawBufferPointer(start: start, count: count)
    }

    deinit {
        bytes.wipe()
        free(bytes.baseAddress)
    }
}

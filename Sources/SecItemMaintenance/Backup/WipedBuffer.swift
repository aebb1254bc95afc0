// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// A buffer for the bytes of a backup. It is overwritten when it is released. Used by one thread at a time.
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

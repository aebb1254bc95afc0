// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// The descriptors that a forked child closes at once. A copy would keep the parent's lock even after the parent was
/// killed.
package enum ForkedDescriptors {
    private static let capacity = 256

    private nonisolated(unsafe) static let slots: UnsafeMutablePointer<Atomic<CInt>> = {
        let slots = UnsafeMutablePointer<Atomic<CInt>>.allocate(capacity: capacity)
        for index in 0..<capacity { (slots + index).initialize(to: Atomic(-1)) }
        pthread_atfork(
            nil, nil,
            {
                for index in 0..<ForkedDescriptors.capacity {
                    let descriptor = ForkedDescriptors.slots[index].exchange(-1, ordering: .relaxed)
                    if descriptor >= 0 { close(descriptor) }
                }
            })
        return slots
    }()

    /// Creates what the first use creates, before a fork.
    package static func prepare() { _ = slots }

    /// Has each child that is forked from now on close the descriptor. There is room for 256.
    package static func add(_ descriptor: CInt) {
        for index in 0..<capacity {
            let (isTaken, _) = slots[index].compareExchange(expected: -1, desired: descriptor, ordering: .relaxed)
            if isTaken { return }
        }
    }

    /// Must be called before the descriptor is closed.
    package static func remove(_ descriptor: CInt) {
        for index in 0..<capacity {
            let (isFound, _) = slots[index].compareExchange(expected: descriptor, desired: -1, ordering: .relaxed)
            if isFound { return }
        }
    }
}

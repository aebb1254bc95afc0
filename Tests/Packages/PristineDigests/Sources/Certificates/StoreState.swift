// SPDX-License-Identifier: Apache-2.0

// Without Foundation, as in swift-atomics itself.
import Atomics

/// A value that several threads share, in a representation of its own.
enum StoreState: UInt8, AtomicValue {
    case new
    case inUse
}

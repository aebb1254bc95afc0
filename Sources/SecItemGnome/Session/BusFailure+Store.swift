// SPDX-License-Identifier: Apache-2.0

import SecItemBus
import SecItemStore

extension BusFailure {
    /// The failure in a store's words.
    var storeError: StoreError {
        switch kind {
        case .locked: StoreError(.locked, "the collection is locked", underlying: self)
        case .lost, .unavailable: StoreError(.unavailable, "the Secret Service does not answer", underlying: self)
        case .timedOut: StoreError(.io, "the Secret Service did not answer in time", underlying: self)
        case .missingLibrary:
            StoreError(.unavailable, "the Secret Service cannot be reached: \(message)", underlying: self)
        case .malformed: StoreError(.io, "the Secret Service gave an invalid answer", underlying: self)
        case .outOfDescriptors: StoreError(.io, "no file descriptors are left", underlying: self)
        case .outOfThreads: StoreError(.io, "no threads can be started", underlying: self)
        case .noObject, .other: StoreError(.io, "the Secret Service refused", underlying: self)
        }
    }
}

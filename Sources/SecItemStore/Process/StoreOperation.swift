// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The operation of a store that the calling thread performs.
///
/// A fork waits for such an operation, up to the patience of the store. So the operation must not wait for the fork: what
/// it makes for the first time, for example to test a certificate, is protected by that alone.
package enum StoreOperation {
    // Initialised by constants, so that their first use creates nothing. Written once, by `install()`.
    private nonisolated(unsafe) static var key: pthread_key_t = 0
    private nonisolated(unsafe) static var hasKey = false

    /// Makes the key under which each thread notes its operation. Called before any operation.
    static func install() {
        hasKey = pthread_key_create(&key, nil) == 0
    }

    /// Whether the calling thread is inside ``during(_:)``.
    static var isUnderWay: Bool { hasKey && pthread_getspecific(key) != nil }

    /// Runs the body as an operation for which forks wait already. Operations may be nested. A participant of the moment
    /// ``ForkHandlers/Moment/operations`` exists before.
    package static func during<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
        guard hasKey else { return try body() }
        let outer = pthread_getspecific(key)
        pthread_setspecific(key, UnsafeRawPointer(bitPattern: 1))
        defer { pthread_setspecific(key, outer) }
        return try body()
    }
}

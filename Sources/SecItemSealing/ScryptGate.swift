// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// Limits the memory that scrypt takes at the same time in all threads of the process.
///
/// Derivations wait for each other if they would take more than the limit together. One derivation always runs, whatever it
/// takes.
final class ScryptGate: Sendable {
    /// All derivations of the process: 256 MiB, which is enough for two keys of new items at once.
    static let shared = ScryptGate(greatestMemory: 256 << 20)

    private let greatestMemory: Int
    /// The memory that the derivations of this process take.
    private let taken = ProcessValue { 0 }

    /// - Parameter greatestMemory: The limit in bytes.
    init(greatestMemory: Int) {
        self.greatestMemory = greatestMemory
    }

    /// Runs `body`, which takes that much memory, as soon as the limit allows it.
    ///
    /// - Parameters:
    ///   - memory: In bytes.
    ///   - isCancelled: Whether to stop waiting. Called every few milliseconds.
    /// - Throws: The errors of `body`; ``SecItemStore/StoreError/Code/authenticationFailed`` if the wait was cancelled.
    func perform<Result>(
        taking memory: Int, isCancelled: () -> Bool, _ body: () throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        while !enter(memory) {
            if isCancelled() { throw StoreError(.authenticationFailed, "nobody waits for the key any more") }
            usleep(5_000)
        }
        defer { taken.withLock { $0 -= memory } }
        return try body()
    }

    private func enter(_ memory: Int) -> Bool {
        taken.withLock { taken in
            guard taken == 0 || taken + memory <= greatestMemory else { return false }
            taken += memory
            return true
        }
    }
}

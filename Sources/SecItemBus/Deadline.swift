// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// The moment at which a wait ends.
package struct Deadline: Sendable {
    private let end: DispatchTime

    package init(in seconds: Double) {
        end = .now() + max(0, seconds)
    }

    /// Whether the moment has come.
    package var isOver: Bool { .now() >= end }

    /// Waits for the semaphore briefly, and never beyond the deadline, so that the caller can check other conditions in
    /// between.
    ///
    /// - Returns: Whether the signal came.
    package func waitAWhile(for semaphore: DispatchSemaphore) -> Bool {
        semaphore.wait(timeout: min(end, .now() + 0.05)) == .success
    }
}

// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// The moment at which a wait ends, and a person's or a service's time is up.
package struct Deadline: Sendable {
    private let end: DispatchTime

    package init(in seconds: Double) {
        end = .now() + max(0, seconds)
    }

    /// Whether the moment has come.
    package var isOver: Bool { .now() >= end }

    /// Waits for the signal a short while, and never beyond the end: whoever waits has to look around now and then.
    ///
    /// - Returns: Whether the signal came.
    package func waitAWhile(for semaphore: DispatchSemaphore) -> Bool {
        semaphore.wait(timeout: min(end, .now() + 0.05)) == .success
    }
}

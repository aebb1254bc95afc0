// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Waits without being woken: in pauses of increasing length, for about 20 s in all.
struct BusyWait {
    private let longestPause: Int
    private let end: ContinuousClock.Instant
    private var attempt = 0

    /// - Parameters:
    ///   - longestPause: In microseconds.
    ///   - patience: The whole time.
    init(longestPause: Int, patience: Duration = .seconds(20)) {
        self.longestPause = longestPause
        end = ContinuousClock.now + patience
    }

    /// Pauses.
    ///
    /// - Returns: False, without a pause, after the time is over.
    mutating func pause() -> Bool {
        guard ContinuousClock.now < end else { return false }
        Self.pause(attempt, longest: longestPause)
        attempt += 1
        return true
    }

    /// The pause after that many.
    static func pause(_ attempt: Int, longest: Int) {
        let pause = min(longest, 50 << min(attempt, 10))
        // The pauses vary at random, so that two waiting threads do not stay in step.
        usleep(UInt32.random(in: UInt32(pause / 2)...UInt32(pause)))
    }
}

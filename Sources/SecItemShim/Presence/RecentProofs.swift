// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// When the owner was last recognised in this process, by each set of methods.
///
/// A proof also ages while the machine sleeps, and changes of the clock do not make it younger. A child process
/// begins without proofs.
package enum RecentProofs {
    private static let times = ProcessValue<[UInt8: TimeInterval]> { [:] }

    static func note(_ methods: PresenceRequest.Methods) {
        let now = now
        times.withLock { $0[methods.rawValue] = now }
    }

    /// Whether the owner was recognised within the last seconds, by one of these methods.
    package static func contain(_ methods: PresenceRequest.Methods, withinLast seconds: TimeInterval) -> Bool {
        let now = now
        return times.withLock { times in
            times.contains { known, time in
                PresenceRequest.Methods(rawValue: known).isSubset(of: methods) && now - time <= seconds
            }
        }
    }

    private static var now: TimeInterval { TimeInterval(SystemClock.sinceStart) / 1_000_000_000 }
}

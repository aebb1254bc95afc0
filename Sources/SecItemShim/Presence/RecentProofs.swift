// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// When the owner was last recognised in this process, by each set of methods.
///
/// A proof also ages while the machine sleeps, and changes of the clock do not make it younger. A child process
/// begins without proofs.
struct RecentProofs: Sendable {
    private static let only = LockedValue(RecentProofs())

    private var process: pid_t = 0
    private var times: [UInt8: TimeInterval] = [:]

    static func note(_ methods: PresenceRequest.Methods) {
        let now = now
        only.withLock { proofs in
            if proofs.process != getpid() { proofs = RecentProofs(process: getpid()) }
            proofs.times[methods.rawValue] = now
        }
    }

    static func contain(_ methods: PresenceRequest.Methods, withinLast seconds: TimeInterval) -> Bool {
        let now = now
        return only.withLock { proofs in
            proofs.process == getpid()
                && proofs.times.contains { known, time in
                    PresenceRequest.Methods(rawValue: known).isSubset(of: methods) && now - time <= seconds
                }
        }
    }

    private static var now: TimeInterval { TimeInterval(SystemClock.sinceStart) / 1_000_000_000 }
}

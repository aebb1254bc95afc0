// SPDX-License-Identifier: Apache-2.0

import Security

/// Why the helper ends without having done what it was asked. It never holds what git sent.
struct HelperFailure: Error, CustomStringConvertible {
    let description: String
    let exitStatus: Int32

    init(_ description: String, exitStatus: Int32 = 1) {
        self.description = description
        self.exitStatus = exitStatus
    }

    /// A keychain call has failed.
    init(_ attempt: String, _ status: OSStatus) {
        let reason = SecCopyErrorMessageString(status, nil) as String? ?? "no reason is known"
        self.init("cannot \(attempt): \(reason) (\(status))")
    }

    static let usage = HelperFailure(
        "say what to do: \(Action.allCases.map(\.rawValue).joined(separator: ", ")); see --help", exitStatus: 2)
}

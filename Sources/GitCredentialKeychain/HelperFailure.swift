// SPDX-License-Identifier: Apache-2.0

import Security

/// The reason why the helper could not do what git asked. It never contains a value from git.
struct HelperFailure: Error, CustomStringConvertible {
    let description: String
    let exitStatus: Int32

    init(_ description: String, exitStatus: Int32 = 1) {
        self.description = description
        self.exitStatus = exitStatus
    }

    /// Describes a keychain call that failed.
    init(_ attempt: String, _ status: OSStatus) {
        let reason = SecCopyErrorMessageString(status, nil) as String? ?? "no reason is known"
        self.init("cannot \(attempt): \(reason) (\(status))")
    }

    static let usage = HelperFailure(
        "say what to do: \(Action.allCases.map(\.rawValue).joined(separator: ", ")); see --help", exitStatus: 2)
}

// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemShim
import SecItemStore

/// Why a command failed: what it says on standard error, and its exit status.
struct CommandFailure: Error {
    /// Nil where the reason has been told already.
    let message: String?
    let exitStatus: Int32
    /// What a call answered; nil where it was no call that failed.
    private(set) var status: OSStatus?

    /// A failure that has no `OSStatus`: a wrong command line (2), a file that cannot be read (1).
    init(_ message: String?, exit exitStatus: Int32 = 1) {
        self.message = message
        self.exitStatus = exitStatus
    }

    /// A call's failure, in the words and with the exit status that it has on a Mac.
    ///
    /// - Parameters:
    ///   - call: The call whose name goes before the message.
    ///   - status: What it answered. The exit status is its last eight bits.
    ///   - reason: What a person can do about it; nil where the status says everything.
    init(_ call: String, _ status: OSStatus, reason: String? = nil) {
        let reason = reason.map { " (\($0))" } ?? ""
        self.init("\(call): \(StatusMessage.text(status))\(reason)", exit: Self.exitStatus(status))
        self.status = status
    }

    /// The failure of a call on a store.
    init(_ call: String, _ error: KeychainError) {
        let isPlain = [errSecItemNotFound, errSecDuplicateItem, errSecUserCanceled].contains(error.status)
        self.init(call, error.status, reason: isPlain ? nil : error.message)
    }

    init(_ call: String, _ error: StoreError) {
        self.init(call, KeychainError(error))
    }

    /// A command line that cannot be meant.
    static func usage(_ message: String) -> CommandFailure { CommandFailure(message, exit: 2) }

    /// The last eight bits of a status, which a shell sees; 1 where these would mean success.
    static func exitStatus(_ status: OSStatus) -> Int32 {
        let bits = status & 0xff
        return bits == 0 ? 1 : bits
    }
}

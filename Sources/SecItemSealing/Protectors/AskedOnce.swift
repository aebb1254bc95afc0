// SPDX-License-Identifier: Apache-2.0

import SecItemStore

/// Asks the application for its passphrase only once in a call, although a new store needs it twice: to be created, and
/// to be unlocked.
///
/// Only the call's own thread knows the answer, and only during the call.
package enum AskedOnce {
    /// Used by the one thread of the call.
    private final class Answer: @unchecked Sendable {
        var passphrase: Secret?
    }

    @TaskLocal private static var current: Answer?

    /// Runs `body`. Every question after the first gets the first one's answer.
    package static func during<Value>(_ body: () throws(StoreError) -> Value) throws(StoreError) -> Value {
        try $current.withValue(Answer()) { Result { () throws(StoreError) in try body() } }.get()
    }

    /// The earlier answer, or else the result of `ask`.
    package static func answer(_ ask: () throws -> Secret?) rethrows -> Secret? {
        if let known = current?.passphrase { return known }
        let passphrase = try ask()
        current?.passphrase = passphrase
        return passphrase
    }
}

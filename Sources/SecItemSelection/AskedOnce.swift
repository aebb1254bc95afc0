// SPDX-License-Identifier: Apache-2.0

import SecItemStore

/// Has the application asked for its passphrase once in a call: a new store needs it to be made, and to be unlocked.
///
/// The answer is known to the call's own thread, and no longer than the call takes.
enum AskedOnce {
    /// Used by one thread, in which all of the call runs.
    private final class Answer: @unchecked Sendable {
        var passphrase: Secret?
    }

    @TaskLocal private static var current: Answer?

    /// Makes what there is one of.
    static func prepare() {
        _ = $current
    }

    /// Runs `body`, in which each question after the first has the first one's answer.
    static func during<Value>(_ body: () throws(StoreError) -> Value) throws(StoreError) -> Value {
        try $current.withValue(Answer()) { Result { () throws(StoreError) in try body() } }.get()
    }

    /// What was answered before, else what `ask` gives now.
    static func answer(_ ask: () throws -> Secret?) rethrows -> Secret? {
        if let known = current?.passphrase { return known }
        let passphrase = try ask()
        current?.passphrase = passphrase
        return passphrase
    }
}

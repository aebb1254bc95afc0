// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Runs the body of one of Apple's functions that give an object or a `CFError`. Converts an error for the client, and
/// logs it.
func answer<Value>(
    to error: UnsafeMutablePointer<Unmanaged<CFError>?>?, of call: String = #function,
    _ body: () throws(KeychainError) -> Value
) -> Value? {
    do throws(KeychainError) {
        return try body()
    } catch let failure {
        KeychainCalls.logFirst(failure, of: call)
        error?.store(status: failure.status, message: failure.message, underlying: failure.underlying)
        return nil
    }
}

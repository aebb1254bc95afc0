// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import SecItemStore

/// Turns the errors of Apple's functions into what their callers receive, and logs the reasons.
package enum CallLog {
    /// Runs the body of a function that returns a status, and logs the reason of a failure.
    package static func status(of call: String, _ body: () throws(KeychainError) -> Void) -> OSStatus {
        do throws(KeychainError) {
            try body()
            return errSecSuccess
        } catch {
            log(error, of: call)
            return error.status
        }
    }

    /// Logs why a call failed: always at debug level, and once at error level if somebody has to fix a setting or the
    /// machine.
    ///
    /// - Parameter call: Its name, which the labels of its parameters may follow.
    package static func log(_ error: KeychainError, of call: String) {
        if error.concernsConfiguration {
            logger.once(
                .error, "A keychain call failed",
                metadata: ["status": "\(statusDescription(error.status))", "reason": "\(error.message)"])
        }
        logger.debug("\(call.prefix { $0 != "(" }): \(error)")
    }

    private static let keychainLog = KeychainLog("secitem")

    package static var logger: Logger { keychainLog() }
}

extension KeychainError {
    /// Whether the machine or a setting made the call fail, rather than the query or the stored items.
    fileprivate var concernsConfiguration: Bool {
        [errSecNotAvailable, errSecDiskFull, errSecIO, errSecReadOnly].contains(status)
    }
}

/// Runs the body of one of Apple's functions that give an object or a `CFError`. Converts an error for the client, and
/// logs it.
package func answer<Value>(
    to error: UnsafeMutablePointer<Unmanaged<CFError>?>?, of call: String = #function,
    _ body: () throws(KeychainError) -> Value
) -> Value? {
    do throws(KeychainError) {
        return try body()
    } catch let failure {
        CallLog.log(failure, of: call)
        error?.store(status: failure.status, message: failure.message, underlying: failure.underlying)
        return nil
    }
}

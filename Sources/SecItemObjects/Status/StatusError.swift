// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

extension NSError {
    /// An error of Apple's domain for statuses, as in functions with a `CFError` parameter.
    ///
    /// - Parameters:
    ///   - status: The status, which is the error's code.
    ///   - message: What went wrong in this case. By default, the general sentence for the status.
    ///   - underlying: The underlying error.
    package convenience init(status: OSStatus, message: String? = nil, underlying: (any Error)? = nil) {
        self.init(
            domain: NSOSStatusErrorDomain, code: Int(status), userInfo: Self.userInfo(status, message, underlying))
    }

    private static func userInfo(_ status: OSStatus, _ message: String?, _ underlying: (any Error)?) -> [String: Any] {
        var userInfo = [String: Any]()
        if let message {
            // Apple's errors have this text too, and programs compare it.
            userInfo["NSDescription"] = message
            userInfo[NSLocalizedDescriptionKey] =
                "The operation couldn’t be completed. (OSStatus error \(status) - \(message))"
        } else {
            userInfo[NSLocalizedDescriptionKey] = SecCopyErrorMessageString(status, nil).map { $0 as String }
        }
        userInfo[NSUnderlyingErrorKey] = underlying
        return userInfo
    }
}

extension UnsafeMutablePointer where Pointee == Unmanaged<CFError>? {
    /// Gives an error to the caller, who must release it, as Apple's functions do with their `error` parameter.
    package func store(status: OSStatus, message: String? = nil, underlying: (any Error)? = nil) {
        pointee = .passRetained(NSError(status: status, message: message, underlying: underlying))
    }
}

// SPDX-License-Identifier: Apache-2.0

import Foundation

extension NSError {
    /// An error of Apple's domain for statuses, as the functions with a `CFError` parameter give.
    ///
    /// - Parameters:
    ///   - status: The status; the error's code.
    ///   - message: What went wrong in this case. The general sentence for the status if left out.
    ///   - underlying: The error this one stems from.
    package convenience init(status: OSStatus, message: String? = nil, underlying: (any Error)? = nil) {
        var userInfo = [String: Any]()
        if let message {
            // As Apple's errors say it; programs compare the texts.
            userInfo["NSDescription"] = message
            userInfo[NSLocalizedDescriptionKey] =
                "The operation couldn’t be completed. (OSStatus error \(status) - \(message))"
        } else {
            userInfo[NSLocalizedDescriptionKey] = SecCopyErrorMessageString(status, nil).map { $0 as String }
        }
        userInfo[NSUnderlyingErrorKey] = underlying
        self.init(domain: NSOSStatusErrorDomain, code: Int(status), userInfo: userInfo)
    }
}

extension UnsafeMutablePointer where Pointee == Unmanaged<CFError>? {
    /// Hands an error to the caller, who has to release it: what Apple's functions do with their `error` parameter.
    package func store(status: OSStatus, message: String? = nil, underlying: (any Error)? = nil) {
        pointee = .passRetained(NSError(status: status, message: message, underlying: underlying))
    }
}

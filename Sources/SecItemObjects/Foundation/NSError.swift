// SPDX-License-Identifier: Apache-2.0

import Foundation

extension NSError {
    /// Makes an error without content, for `NSError()`.
    ///
    /// Foundation's class on Linux does not inherit `init()`, and an extension cannot override it. That is why this
    /// initialiser has a parameter, which nobody passes.
    public convenience init(_ nothing: Void = ()) {
        self.init(domain: "", code: 0)
    }
}

/// A pointer through which a method returns an error instead of throwing it. Foundation on Linux lacks the name.
///
///     var error: NSError?
///     let canAsk = context.canEvaluatePolicy(.deviceOwnerAuthentication, error: &error)
public typealias NSErrorPointer = UnsafeMutablePointer<NSError?>?

/// The key in an error's `userInfo` for an array of the underlying errors. Foundation on Linux lacks it.
public let NSMultipleUnderlyingErrorsKey = "NSMultipleUnderlyingErrorsKey"

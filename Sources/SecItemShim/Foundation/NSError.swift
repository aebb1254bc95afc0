// SPDX-License-Identifier: Apache-2.0

import Foundation

extension NSError {
    /// Makes an error that says nothing, for `NSError()`.
    ///
    /// Foundation's class on Linux does not inherit `init()`, and an extension cannot override it; hence the parameter
    /// nobody passes.
    public convenience init(_ nothing: Void = ()) {
        self.init(domain: "", code: 0)
    }
}

/// Where a method puts the error that it does not throw; Foundation on Linux lacks the name.
///
///     var error: NSError?
///     let canAsk = context.canEvaluatePolicy(.deviceOwnerAuthentication, error: &error)
public typealias NSErrorPointer = UnsafeMutablePointer<NSError?>?

/// The key in an error's `userInfo` under which several errors are that have led to it, in an array; Foundation on Linux lacks
/// it.
public let NSMultipleUnderlyingErrorsKey = "NSMultipleUnderlyingErrorsKey"

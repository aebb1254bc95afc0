// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Where a method puts the error that it does not throw; Foundation on Linux lacks the name.
///
///     var error: NSError?
///     let canAsk = context.canEvaluatePolicy(.deviceOwnerAuthentication, error: &error)
public typealias NSErrorPointer = UnsafeMutablePointer<NSError?>?

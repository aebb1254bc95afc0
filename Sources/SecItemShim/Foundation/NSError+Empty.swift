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

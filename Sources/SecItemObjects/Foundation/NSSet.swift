// SPDX-License-Identifier: Apache-2.0

import Foundation

extension NSSet {
    /// Makes a set with the elements of another. Foundation on Linux takes a `Set` only.
    @_disfavoredOverload
    public convenience init(set aSet: NSSet) {
        self.init(array: aSet.allObjects)
    }
}

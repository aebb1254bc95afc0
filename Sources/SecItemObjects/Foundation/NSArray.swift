// SPDX-License-Identifier: Apache-2.0

import Foundation

extension NSArray {
    /// Makes an array with the elements of another. Foundation on Linux takes an `Array` only.
    ///
    ///     let results = NSMutableArray(array: result as! CFArray)
    @_disfavoredOverload
    public convenience init(array anArray: NSArray) {
        self.init(array: anArray.map { $0 })
    }
}

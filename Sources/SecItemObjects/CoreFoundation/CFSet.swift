// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Gives the number of elements.
@discardableResult
public func CFSetGetCount(_ theSet: CFSet!) -> CFIndex {
    theSet?.count ?? 0
}

/// Tells whether an object is in a set.
@discardableResult
public func CFSetContainsValue(_ theSet: CFSet!, _ value: UnsafeRawPointer!) -> Bool {
    guard let set = theSet, let object = object(at: value) else { return false }
    return set.contains(object)
}

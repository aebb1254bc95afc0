// SPDX-License-Identifier: Apache-2.0

internal import CoreFoundation
import Foundation

extension NSArray {
    /// The elements of a caller's array. Nil for NULL, which a C client's array without callbacks may hold.
    ///
    /// All arrays of callers are read here. Foundation ends the process at such an element.
    package var callerElements: [AnyObject?] {
        // Other classes than that of C's arrays hold objects only, and may make them when they are asked.
        let arrayOfC = unsafeBitCast(CoreFoundation.CFArrayCreate(nil, nil, 0, nil), to: NSArray.self)
        guard type(of: self) == type(of: arrayOfC) else { return map { $0 as AnyObject } }
        let array = unsafeBitCast(self, to: CoreFoundation.CFArray.self)
        return (0..<CoreFoundation.CFArrayGetCount(array)).map { index in
            SecItemObjects.object(at: CoreFoundation.CFArrayGetValueAtIndex(array, index)).map(withoutBox)
        }
    }
}

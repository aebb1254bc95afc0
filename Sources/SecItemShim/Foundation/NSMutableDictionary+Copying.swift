// SPDX-License-Identifier: Apache-2.0

import Foundation

extension NSMutableDictionary {
    /// Stores a value under a key of a type known to be copyable only.
    ///
    /// Apple's method takes any `NSCopying` key; Foundation's on Linux takes `AnyHashable` alone. A key that is not
    /// hashable either is not stored.
    @_disfavoredOverload
    public func setObject(_ anObject: Any, forKey aKey: any NSCopying) {
        guard let key = aKey as? AnyHashable else { return }
        setObject(anObject, forKey: key)
    }
}

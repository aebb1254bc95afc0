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

    /// Stores a value under a string, or removes what is there when the value is nil; Foundation on Linux lacks it.
    ///
    ///     query.setValue(kCFBooleanTrue, forKey: kSecReturnData as String)
    public func setValue(_ value: Any?, forKey key: String) {
        if let value {
            setObject(value, forKey: key as AnyHashable)
        } else {
            removeObject(forKey: key)
        }
    }
}

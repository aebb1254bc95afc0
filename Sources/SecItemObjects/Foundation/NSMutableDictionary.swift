// SPDX-License-Identifier: Apache-2.0

import Foundation

extension NSMutableDictionary {
    /// Stores a value under a key whose type is only known to be copyable.
    ///
    /// Apple's method accepts any `NSCopying` key; Foundation's on Linux accepts only `AnyHashable`. A key that is not
    /// hashable is not stored.
    @_disfavoredOverload
    public func setObject(_ anObject: Any, forKey aKey: any NSCopying) {
        guard let key = aKey as? AnyHashable else { return }
        setObject(anObject, forKey: key)
    }

    /// The value under a key of any type. Foundation on Linux can only change the value of an `AnyHashable` key.
    ///
    ///     query[kSecReturnData as NSCopying] = true
    ///
    /// - Parameter key: The key. A value under a key that is not hashable is not stored.
    @_disfavoredOverload
    public subscript<Key>(key: Key) -> Any? {
        get { object(forKey: key) }
        set {
            guard let key = key as? AnyHashable else { return }
            if let newValue { setObject(newValue, forKey: key) } else { removeObject(forKey: key) }
        }
    }

    /// Stores a value under a string, or removes the entry if the value is nil. Foundation on Linux lacks the method.
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

// SPDX-License-Identifier: Apache-2.0

import Foundation

extension NSDictionary {
    /// Makes a dictionary of objects, and of keys that are only known to be copyable. Foundation on Linux takes keys as
    /// `NSObject` only.
    ///
    ///     let keys = [kSecClass, kSecAttrAccount].map { $0 as NSCopying }
    ///     let query = NSMutableDictionary(objects: [kSecClassGenericPassword, "anna"], forKeys: keys)
    ///
    /// - Parameters:
    ///   - objects: The values.
    ///   - keys: The key of each value, in the same order. They are copied. A key that is not an `NSObject` is left out
    ///     with its value.
    /// - Precondition: There are as many keys as objects, as on Apple's platforms.
    @_disfavoredOverload
    public convenience init(objects: [Any], forKeys keys: [any NSCopying]) {
        precondition(objects.count == keys.count, "an NSDictionary needs as many keys as objects")
        let entries = zip(keys, objects).compactMap { key, object in
            (key.copy(with: nil) as AnyObject as? NSObject).map { (key: $0, object: object) }
        }
        self.init(objects: entries.map(\.object), forKeys: entries.map(\.key))
    }

    /// Makes a dictionary with the entries of another. Foundation on Linux takes a `Dictionary` only.
    ///
    ///     let query = NSMutableDictionary(dictionary: item as CFDictionary)
    @_disfavoredOverload
    public convenience init(dictionary otherDictionary: NSDictionary) {
        let keys = otherDictionary.allKeys.compactMap { $0 as AnyObject as? NSObject }
        self.init(objects: keys.compactMap { otherDictionary.object(forKey: $0) }, forKeys: keys)
    }
}

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

extension NSArray {
    /// Makes an array with the elements of another. Foundation on Linux takes an `Array` only.
    ///
    ///     let results = NSMutableArray(array: result as! CFArray)
    @_disfavoredOverload
    public convenience init(array anArray: NSArray) {
        self.init(array: anArray.map { $0 })
    }
}

extension NSSet {
    /// Makes a set with the elements of another. Foundation on Linux takes a `Set` only.
    @_disfavoredOverload
    public convenience init(set aSet: NSSet) {
        self.init(array: aSet.allObjects)
    }
}

/// Makes a `CFString` find values that were stored under an equal `String`.
///
/// On Apple's platforms, `AnyHashable(kSecAttrAccount)` equals `AnyHashable("acct")`. Without this extension it does
/// not on Linux, so `attributes[kSecAttrAccount]` would find nothing in an `[AnyHashable: Any]`, which wrappers use.
extension NSString: @retroactive _HasCustomAnyHashableRepresentation {
    /// The string as Swift sees it.
    public func _toCustomAnyHashable() -> AnyHashable? {
        AnyHashable(self as String)
    }
}

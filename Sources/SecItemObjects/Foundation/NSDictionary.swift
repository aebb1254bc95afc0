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

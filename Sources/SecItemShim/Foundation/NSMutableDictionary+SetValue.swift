// SPDX-License-Identifier: Apache-2.0

import Foundation

extension NSMutableDictionary {
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

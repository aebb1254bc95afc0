// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Builds the dictionary of one result.
package struct ResultDictionary {
    private var keys: [NSString] = []
    private var values: [AnyObject] = []

    package init() {}

    package var dictionary: NSDictionary {
        NSDictionary(objects: values, forKeys: keys)
    }

    package mutating func add(_ key: NSString, _ value: AnyObject) {
        keys.append(key)
        values.append(value)
    }
}

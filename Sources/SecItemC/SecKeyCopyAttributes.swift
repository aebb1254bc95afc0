// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemShim

/// `SecKeyCopyAttributes` for programs in C, which compare truth values with `kCFBooleanTrue`. In Swift, they are numbers.
@_cdecl("SecKeyCopyAttributes")
public func cSecKeyCopyAttributes(_ key: UnsafeRawPointer?) -> UnsafeRawPointer? {
    guard let key = argument(key, SecKey.self), let attributes = SecKeyCopyAttributes(key) else { return nil }
    let result = NSMutableDictionary(dictionary: attributes)
    for name in KeyPermissions.attributeNames.map(\.code) + [kSecAttrIsPermanent as String] {
        if let number = result[name] as? NSNumber { result[name] = NSNumber(value: number.boolValue) }
    }
    return copied(result)
}

// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Makes a `CFString` find what was stored under an equal `String`.
///
/// On Apple's platforms `AnyHashable(kSecAttrAccount)` equals `AnyHashable("acct")`; without this it does not on Linux,
/// and `attributes[kSecAttrAccount]` finds nothing in an `[AnyHashable: Any]`, which wrappers use.
extension NSString: @retroactive _HasCustomAnyHashableRepresentation {
    /// The string as Swift sees it.
    public func _toCustomAnyHashable() -> AnyHashable? {
        AnyHashable(self as String)
    }
}

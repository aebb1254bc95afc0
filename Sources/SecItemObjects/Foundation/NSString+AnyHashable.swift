// SPDX-License-Identifier: Apache-2.0

import Foundation

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

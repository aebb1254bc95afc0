// SPDX-License-Identifier: Apache-2.0

import Foundation
internal import SecItemStore

extension FXKeychain {
    /// Whether to archive objects that a property list cannot hold, and to open archives. The original decides this
    /// when it is compiled, with `FXKEYCHAIN_USE_NSCODING`.
    ///
    /// The default is false, as in the original on the Mac. With archives, anyone who can write to the keychain can
    /// choose which of the application's classes are instantiated. With true, as in the original on iOS, archives may
    /// hold Foundation's values and collections, including `NSNull`, and objects of the application's classes that
    /// support secure coding. Objects of other classes are refused, both in writing and in reading.
    ///
    /// Set it before you use any keychain. It affects all keychains of the process.
    public static var usesNSCoding: Bool {
        get { choice.withLock { $0 } }
        set { choice.withLock { $0 = newValue } }
    }

    private static let choice = LockedValue(false)
}

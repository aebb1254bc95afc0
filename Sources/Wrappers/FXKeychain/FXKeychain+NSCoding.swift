// SPDX-License-Identifier: Apache-2.0

import Foundation
internal import SecItemStore

extension FXKeychain {
    /// Whether objects that no property list can hold are archived, and archives opened: what the original decides with
    /// `FXKEYCHAIN_USE_NSCODING` when it is compiled.
    ///
    /// False unless it is set, as in the original on the Mac: whoever can write to the keychain can otherwise choose which
    /// classes of the application's come to life. With true, as in the original on iOS, archives may hold Foundation's
    /// values and collections, `NSNull` among them, and objects of the application's own classes that support secure
    /// coding; objects of any other class are still refused, in writing and in reading.
    ///
    /// Set it before the first use. It holds for all keychains of the process.
    public static var usesNSCoding: Bool {
        get { choice.withLock { $0 } }
        set { choice.withLock { $0 = newValue } }
    }

    private static let choice = ForkableState(false)
}

// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainCoding
internal import SecItemStore

extension Lockbox {
    /// The application's classes, with their subclasses, that may be archived and that `unarchiveObject(forKey:)` may
    /// instantiate. Nil, the default, allows every class that supports secure coding.
    ///
    /// The original instantiates objects of any class, and code written for it names none. Foundation's values and
    /// collections are always allowed. Other classes of Foundation, and classes without secure coding, never are. If
    /// others can write to your program's keychain, set the classes that it archives, once, before you use it.
    public static var allowedClasses: [AnyClass]? {
        get { choice.withLock { $0.classes } }
        set { choice.withLock { $0 = Choice(classes: newValue) } }
    }

    static var ownClasses: ApplicationClasses {
        allowedClasses.map(ApplicationClasses.only) ?? .supportingSecureCoding
    }

    private struct Choice: Sendable {
        var classes: [any AnyObject.Type]?
    }

    private static let choice = LockedValue(Choice(classes: nil))
}

// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainCoding
internal import SecItemStore

extension Lockbox {
    /// Which classes of the application's own may be archived, and come to life in `unarchiveObject(forKey:)`:
    /// these and those below them. Nil, which it is at first, for every class that supports secure coding.
    ///
    /// The original brings objects of any class to life, and code that was written for it names none. Foundation's values
    /// and collections may always come to life, other classes of Foundation's never, and a class that does not support
    /// secure coding neither. A program whose keychain others can write to should set the classes that it archives, once,
    /// before the first use.
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

    private static let choice = ForkableState(Choice(classes: nil))
}

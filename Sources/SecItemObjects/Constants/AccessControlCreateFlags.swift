// SPDX-License-Identifier: Apache-2.0

// Made by Scripts/make-constants from Data/constants.tsv: change it there.
//
// The conditions of an access control.

/// The conditions of an item's access control: what the user has to do before the item can be used, and what a key is
/// for.
public struct SecAccessControlCreateFlags: OptionSet, Sendable {
    /// The flags as bits.
    public let rawValue: CFOptionFlags

    /// Makes a set of flags of its bits.
    public init(rawValue: CFOptionFlags) {
        self.rawValue = rawValue
    }

    /// The user proves presence with a finger, a face or the passcode. Can be combined only with `applicationPassword`
    /// and `privateKeyUsage`.
    public static let userPresence = SecAccessControlCreateFlags(rawValue: 1 << 0)

    /// Any enrolled finger or face.
    public static let biometryAny = SecAccessControlCreateFlags(rawValue: 1 << 1)

    /// Any enrolled finger. Deprecated by Apple in favour of `biometryAny`.
    public static let touchIDAny = SecAccessControlCreateFlags(rawValue: 1 << 1)

    /// A finger or face enrolled when the item was made; a change of enrolment invalidates the item.
    public static let biometryCurrentSet = SecAccessControlCreateFlags(rawValue: 1 << 3)

    /// A finger enrolled when the item was made. Deprecated by Apple in favour of `biometryCurrentSet`.
    public static let touchIDCurrentSet = SecAccessControlCreateFlags(rawValue: 1 << 3)

    /// The passcode of the device.
    public static let devicePasscode = SecAccessControlCreateFlags(rawValue: 1 << 4)

    /// A paired watch nearby. Deprecated by Apple in favour of `companion`.
    public static let watch = SecAccessControlCreateFlags(rawValue: 1 << 5)

    /// A paired device nearby.
    public static let companion = SecAccessControlCreateFlags(rawValue: 1 << 5)

    /// One of the conditions is enough. Excludes `and`.
    public static let or = SecAccessControlCreateFlags(rawValue: 1 << 14)

    /// All conditions must hold. Excludes `or`.
    public static let and = SecAccessControlCreateFlags(rawValue: 1 << 15)

    /// The item is a private key for signatures and key agreement.
    public static let privateKeyUsage = SecAccessControlCreateFlags(rawValue: 1 << 30)

    /// The encryption also depends on a password that the application sets.
    public static let applicationPassword = SecAccessControlCreateFlags(rawValue: 1 << 31)
}

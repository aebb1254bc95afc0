// SPDX-License-Identifier: Apache-2.0

/// What a person must prove before a right is granted.
///
///     let right = LARight(requirement: .biometry(fallback: .devicePasscode))
///
/// Two requirements are equal if they demand the same. Names and behaviour are those of
/// [LAAuthenticationRequirement](https://developer.apple.com/documentation/localauthentication/laauthenticationrequirement).
public final class LAAuthenticationRequirement: NSObject, Sendable {
    /// The conditions of the items that a saved right has in the keychain.
    let flags: SecAccessControlCreateFlags

    init(_ flags: SecAccessControlCreateFlags) {
        self.flags = flags
        super.init()
    }

    /// A finger or the user's password.
    public static var `default`: LAAuthenticationRequirement { LAAuthenticationRequirement(.userPresence) }

    /// A finger.
    public static var biometry: LAAuthenticationRequirement { LAAuthenticationRequirement(.biometryAny) }

    /// A finger. If the enrolled fingers change after the right was saved, the right can no longer be authorized. A right
    /// that was not saved accepts each enrolled finger.
    public static var biometryCurrentSet: LAAuthenticationRequirement {
        LAAuthenticationRequirement(.biometryCurrentSet)
    }

    /// A finger, or something else if that fails or the machine recognises no finger.
    ///
    /// - Parameter fallback: The replacement for the finger.
    public static func biometry(fallback: LABiometryFallbackRequirement) -> LAAuthenticationRequirement {
        LAAuthenticationRequirement(fallback.flags)
    }

    /// An access control with these conditions, for items that are open while the store is unlocked.
    var accessControl: SecAccessControl {
        SecAccessControl(protection: kSecAttrAccessibleWhenUnlockedThisDeviceOnly as String, flags: flags)
    }

    public override func isEqual(_ object: Any?) -> Bool {
        (object as? LAAuthenticationRequirement)?.flags == flags
    }

    public override var hash: Int { Int(truncatingIfNeeded: flags.rawValue) }
}

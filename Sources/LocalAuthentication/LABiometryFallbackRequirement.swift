// SPDX-License-Identifier: Apache-2.0

/// What replaces a finger where one is required.
///
/// Names and behaviour are those of
/// [LABiometryFallbackRequirement](https://developer.apple.com/documentation/localauthentication/labiometryfallbackrequirement).
public final class LABiometryFallbackRequirement: NSObject, Sendable {
    /// The conditions of a finger together with the replacement.
    let flags: SecAccessControlCreateFlags

    private init(_ flags: SecAccessControlCreateFlags) {
        self.flags = flags
        super.init()
    }

    /// What the system accepts instead of a finger: the user's password.
    public static var `default`: LABiometryFallbackRequirement { LABiometryFallbackRequirement(.userPresence) }

    /// The user's password.
    public static var devicePasscode: LABiometryFallbackRequirement {
        LABiometryFallbackRequirement([.biometryAny, .or, .devicePasscode])
    }

    public override func isEqual(_ object: Any?) -> Bool {
        (object as? LABiometryFallbackRequirement)?.flags == flags
    }

    public override var hash: Int { Int(truncatingIfNeeded: flags.rawValue) }
}

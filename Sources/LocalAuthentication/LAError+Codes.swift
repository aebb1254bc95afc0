// SPDX-License-Identifier: Apache-2.0

// The codes as members of the error itself, for `LAError.userCancel` and `catch LAError.userCancel`.

extension LAError {
    /// The user did not give the right proof.
    public static var authenticationFailed: Code { .authenticationFailed }
    /// The user dismissed the question.
    public static var userCancel: Code { .userCancel }
    /// The user asked for the password instead.
    public static var userFallback: Code { .userFallback }
    /// The system dismissed the question.
    public static var systemCancel: Code { .systemCancel }
    /// The device has no passcode.
    public static var passcodeNotSet: Code { .passcodeNotSet }
    /// The device has no biometry.
    public static var biometryNotAvailable: Code { .biometryNotAvailable }
    /// The user has set up no biometry.
    public static var biometryNotEnrolled: Code { .biometryNotEnrolled }
    /// Biometry failed too often.
    public static var biometryLockout: Code { .biometryLockout }
    /// The application dismissed the question.
    public static var appCancel: Code { .appCancel }
    /// The context was invalidated before.
    public static var invalidContext: Code { .invalidContext }
    /// There is no device nearby.
    public static var companionNotAvailable: Code { .companionNotAvailable }
    /// The accessory for biometry is not paired.
    public static var biometryNotPaired: Code { .biometryNotPaired }
    /// The accessory for biometry is not connected.
    public static var biometryDisconnected: Code { .biometryDisconnected }
    /// The view to show has no size.
    public static var invalidDimensions: Code { .invalidDimensions }
    /// The user must be asked, but the application does not allow it, or nobody can be asked.
    public static var notInteractive: Code { .notInteractive }

    /// The older name of `biometryNotAvailable`.
    public static var touchIDNotAvailable: Code { .biometryNotAvailable }
    /// The older name of `biometryNotEnrolled`.
    public static var touchIDNotEnrolled: Code { .biometryNotEnrolled }
    /// The older name of `biometryLockout`.
    public static var touchIDLockout: Code { .biometryLockout }
    /// The older name of `companionNotAvailable`.
    public static var watchNotAvailable: Code { .companionNotAvailable }
}

// SPDX-License-Identifier: Apache-2.0

/// The proof that an application asks the user for.
///
/// The cases and numbers are those of
/// [LAPolicy](https://developer.apple.com/documentation/localauthentication/lapolicy).
public enum LAPolicy: Int, Sendable {
    /// By a finger or a face.
    case deviceOwnerAuthenticationWithBiometrics = 1

    /// By a finger or a face, a watch, or the passcode.
    case deviceOwnerAuthentication = 2

    /// By a watch or another device nearby.
    case deviceOwnerAuthenticationWithCompanion = 3

    /// By a finger or a face, or by a device nearby.
    case deviceOwnerAuthenticationWithBiometricsOrCompanion = 4

    /// By wearing the watch that was unlocked before.
    case deviceOwnerAuthenticationWithWristDetection = 5

    /// By a watch. The older name of `deviceOwnerAuthenticationWithCompanion`.
    public static var deviceOwnerAuthenticationWithWatch: LAPolicy { .deviceOwnerAuthenticationWithCompanion }

    /// By a finger or a face, or by a watch. The older name of `deviceOwnerAuthenticationWithBiometricsOrCompanion`.
    public static var deviceOwnerAuthenticationWithBiometricsOrWatch: LAPolicy {
        .deviceOwnerAuthenticationWithBiometricsOrCompanion
    }
}

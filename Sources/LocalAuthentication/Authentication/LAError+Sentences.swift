// SPDX-License-Identifier: Apache-2.0

extension LAError.Code {
    /// The error of this reason, with a sentence for people to read.
    var error: LAError {
        LAError(self, userInfo: [NSLocalizedDescriptionKey: sentence])
    }

    private var sentence: String {
        switch self {
        case .authenticationFailed: "You were not recognised."
        case .userCancel: "You dismissed the question."
        case .userFallback: "You gave the password, and a fingerprint is needed."
        case .systemCancel: "The question was closed before you answered."
        case .appCancel: "The application took the question back."
        case .passcodeNotSet: "No passcode is set on this machine."
        case .biometryNotAvailable, .biometryNotPaired, .biometryDisconnected: "This machine has no biometry."
        case .biometryNotEnrolled: "No biometry is set up on this machine."
        case .biometryLockout: "Biometry failed too often."
        case .invalidContext: "The context was invalidated."
        case .companionNotAvailable: "There is no device nearby."
        case .invalidDimensions: "What was to be shown has no size."
        case .notInteractive: "You have to be asked, and nobody can ask you here, or the application does not allow it."
        }
    }
}

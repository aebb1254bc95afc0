// SPDX-License-Identifier: Apache-2.0

extension LAError {
    /// Makes an error with a sentence for people to read.
    init(_ code: Code, saying sentence: String) {
        self.init(code, userInfo: [NSLocalizedDescriptionKey: sentence])
    }

    /// The person must be asked, and `interactionNotAllowed` is set.
    static var mayNotAsk: LAError {
        LAError(.notInteractive, saying: "You would have to be asked, and the application does not allow it.")
    }

    /// The person must be asked, and there is neither a terminal nor a desktop to ask on.
    static var nobodyToAsk: LAError {
        LAError(.notInteractive, saying: "You would have to be asked, and nobody can ask you here.")
    }

    /// The key or the secret of a right was used that is not authorized.
    static var notAuthorized: LAError { LAError(.notInteractive, saying: "The right is not authorized.") }
}

extension LAError.Code {
    /// The error of this reason, with a sentence for people to read.
    var error: LAError {
        LAError(self, saying: sentence)
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
        case .notInteractive: "You would have to be asked, and that is not possible now."
        }
    }
}

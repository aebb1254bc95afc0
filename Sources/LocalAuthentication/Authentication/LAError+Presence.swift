// SPDX-License-Identifier: Apache-2.0

import SecItemShim

extension PresenceFailure {
    /// The error that an application sees.
    var error: LAError {
        switch self {
        case .notRecognised: LAError.Code.authenticationFailed.error
        case .slip(let slip):
            LAError(.authenticationFailed, saying: slip.rawValue)
        case .refused:
            LAError(.authenticationFailed, saying: "The rules of this machine refuse you without asking.")
        case .accountRefused:
            LAError(.authenticationFailed, saying: "The rules of this machine refuse your account.")
        case .dismissed: LAError.Code.userCancel.error
        case .ignored: LAError.Code.systemCancel.error
        case .passwordInstead: LAError.Code.userFallback.error
        case .fingerInstead:
            LAError(.authenticationFailed, saying: "You gave a fingerprint, and the password is needed.")
        case .takenBack: LAError.Code.appCancel.error
        case .nobodyToAsk: LAError.nobodyToAsk
        case .noPassword: LAError.Code.passcodeNotSet.error
        case .noBiometry: LAError.Code.biometryNotAvailable.error
        case .notEnrolled: LAError.Code.biometryNotEnrolled.error
        case .thrown(let error): error as? LAError ?? LAError.Code.authenticationFailed.error
        }
    }
}

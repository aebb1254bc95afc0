// SPDX-License-Identifier: Apache-2.0

import Foundation

extension KeychainError {
    /// What a failed question means to who wanted to use an item.
    ///
    /// As Apple's keychain takes the errors of LocalAuthentication: a dismissal and a missing person have statuses of their
    /// own, and everything else is `errSecAuthFailed`.
    init(_ failure: PresenceFailure) {
        switch failure {
        case .dismissed: self.init(errSecUserCanceled, "the question was dismissed")
        // Without a password nobody can answer either.
        case .nobodyToAsk, .noPassword: self.init(errSecInteractionNotAllowed, "nobody can be asked")
        case .thrown(let error): self.init(thrown: error)
        default: self.init(errSecAuthFailed, "the person at the machine was not recognised", underlying: failure)
        }
    }

    /// An authenticator of the application's own says by an `LAError` what happened.
    private init(thrown error: any Error) {
        let status =
            switch (error as NSError).localAuthenticationCode {
            case .userCancel: errSecUserCanceled
            case .notInteractive: errSecInteractionNotAllowed
            case nil: errSecAuthFailed
            }
        self.init(status, "the application's authenticator did not recognise the person", underlying: error)
    }
}

/// The codes of `LAError` that have a status of their own. Its module stands on this one.
private enum LocalAuthenticationCode: Int {
    case userCancel = -2
    case notInteractive = -1004
}

extension NSError {
    fileprivate var localAuthenticationCode: LocalAuthenticationCode? {
        domain == "com.apple.LocalAuthentication" ? LocalAuthenticationCode(rawValue: code) : nil
    }
}

// SPDX-License-Identifier: Apache-2.0

import Foundation

extension KeychainError {
    /// The error of a call whose question failed. Its message says whether anybody was asked.
    ///
    /// As with errors of LocalAuthentication on Apple's platforms, a dismissal is `errSecUserCanceled`, a question that nobody
    /// can be asked is `errSecInteractionNotAllowed`, and everything else is `errSecAuthFailed`.
    ///
    /// - Parameter proof: What the call needs.
    init(_ failure: PresenceFailure, for proof: WantedProof) {
        switch failure {
        case .dismissed: self.init(errSecUserCanceled, "the user dismissed the question")
        // Nobody can answer without a password either.
        case .nobodyToAsk:
            self.init(
                errSecInteractionNotAllowed, "\(proof.name) is needed, and nobody can be asked for it",
                remedy: proof.remedy)
        case .noPassword:
            self.init(
                errSecInteractionNotAllowed,
                "\(proof.name) is needed, and nobody can be asked for it: the user has no password")
        case .slip(let slip): self.init(errSecAuthFailed, slip.rawValue)
        case .thrown(let error): self.init(thrown: error)
        case .notRecognised: self.init(errSecAuthFailed, "the user was asked for \(proof.name), and not recognised")
        case .ignored: self.init(errSecAuthFailed, "the user was asked for \(proof.name), and did not answer")
        case .passwordInstead: self.init(errSecAuthFailed, "the user gave the password instead of a fingerprint")
        case .fingerInstead: self.init(errSecAuthFailed, "the user gave a fingerprint instead of the password")
        case .takenBack: self.init(errSecAuthFailed, "the authentication context was invalidated meanwhile")
        case .refused: self.init(errSecAuthFailed, "PAM refused the user without asking: see its rules for secitem")
        case .accountRefused:
            self.init(
                errSecAuthFailed, "PAM recognised the user, and refused the account, which may be expired or locked")
        case .noBiometry:
            self.init(errSecAuthFailed, "\(proof.name) is needed, and nobody was asked: the machine cannot read one")
        case .notEnrolled:
            self.init(errSecAuthFailed, "\(proof.name) is needed, and nobody was asked: no fingers are enrolled")
        }
    }

    /// The error of a call that needs proofs and does not allow prompts.
    init(mayNotAskFor proofs: [WantedProof]) {
        let names = proofs.map(\.name).joined(separator: " and ")
        let remedies = proofs.map(\.remedy).joined(separator: "; ")
        self.init(errSecInteractionNotAllowed, "the call needs \(names), and does not allow prompts", remedy: remedies)
    }

    /// The error that the application's authenticator threw. An `LAError` says what happened.
    private init(thrown error: any Error) {
        let (status, what) =
            switch (error as NSError).localAuthenticationCode {
            case .userCancel: (errSecUserCanceled, "says that the user dismissed the question")
            case .notInteractive: (errSecInteractionNotAllowed, "can ask nobody")
            case nil: (errSecAuthFailed, "did not recognise the user")
            }
        self.init(status, "the application's authenticator \(what)", underlying: error)
    }
}

/// What a guarded item needs before it is used.
enum WantedProof {
    /// A proof that the person is the owner, by one of the methods.
    case presence(PresenceRequest.Methods)
    /// The passphrase of the store.
    case passphrase
    /// The password of the item.
    case applicationPassword

    fileprivate var name: String {
        switch self {
        case .presence(let methods) where methods.contains(.password): "a proof that the user is there"
        case .presence: "a fingerprint of the user"
        case .passphrase: "the passphrase of the store"
        case .applicationPassword: "the password of the item"
        }
    }

    /// What the application can do instead.
    fileprivate var remedy: String {
        switch self {
        case .presence: "set LinuxKeychain.authenticator, or ask on a terminal or a desktop"
        case .passphrase: "set it by LAContext.setCredential(_:type: .devicePasscode), or ask on a terminal"
        case .applicationPassword:
            "set it by LAContext.setCredential(_:type: .applicationPassword), or ask on a terminal"
        }
    }
}

/// The codes of `LAError` that have a status of their own. Its module depends on this one, so they are repeated here.
private enum LocalAuthenticationCode: Int {
    case userCancel = -2
    case notInteractive = -1004
}

extension NSError {
    fileprivate var localAuthenticationCode: LocalAuthenticationCode? {
        domain == "com.apple.LocalAuthentication" ? LocalAuthenticationCode(rawValue: code) : nil
    }
}

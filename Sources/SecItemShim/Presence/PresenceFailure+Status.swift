// SPDX-License-Identifier: Apache-2.0

import Foundation

extension KeychainError {
    /// What a failed question means to who wanted to use an item.
    ///
    /// As Apple's keychain takes the errors of LocalAuthentication: a dismissal and a missing person have statuses of their
    /// own, and everything else is `errSecAuthFailed`.
    ///
    /// - Parameter proof: What the question was to give.
    init(_ failure: PresenceFailure, for proof: WantedProof) {
        switch failure {
        case .dismissed: self.init(errSecUserCanceled, "the question was dismissed")
        // Without a password nobody can answer either.
        case .nobodyToAsk:
            self.init(
                errSecInteractionNotAllowed, "\(proof.name) is needed, and nobody can be asked for it: \(proof.remedy)")
        case .noPassword:
            self.init(
                errSecInteractionNotAllowed,
                "\(proof.name) is needed, and nobody can be asked for it: the user has no password")
        case .slip(let slip): self.init(errSecAuthFailed, slip.rawValue)
        case .thrown(let error): self.init(thrown: error)
        default: self.init(errSecAuthFailed, "the person at the machine was not recognised", underlying: failure)
        }
    }

    /// The error of a call that needs proofs and does not allow prompts.
    init(mayNotAskFor proofs: [WantedProof]) {
        let names = proofs.map(\.name).joined(separator: " and ")
        let remedies = proofs.map(\.remedy).joined(separator: "; ")
        self.init(errSecInteractionNotAllowed, "the call needs \(names), and does not allow prompts: \(remedies)")
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

/// What a guarded item needs before it is used.
enum WantedProof {
    /// That the person is the owner, by one of the methods.
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

// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemShim

/// The errors of rights that `LAError` has no name for. Domain and numbers are those that Apple's platforms give.
enum RightError {
    /// There is no such right, or it has no secret.
    static func notFound(_ sentence: String) -> NSError { error(-1019, sentence) }

    /// The call cannot be carried out.
    static func generic(_ sentence: String) -> NSError { error(-1008, sentence) }

    private static func error(_ code: Int, _ sentence: String) -> NSError {
        NSError(domain: LAErrorDomain, code: code, userInfo: [NSLocalizedDescriptionKey: sentence])
    }

    /// The error of a keychain call for an item of a right.
    ///
    /// - Parameters:
    ///   - steps: The proofs of the right's requirement.
    ///   - authenticator: Who asks the person.
    static func of(
        _ status: OSStatus, _ steps: [PresenceRequest.Methods], _ authenticator: any PresenceAuthenticator
    ) -> any Error {
        switch status {
        case errSecUserCanceled: return LAError.Code.userCancel.error
        case errSecInteractionNotAllowed: return LAError.Code.notInteractive.error
        case errSecItemNotFound: return notFound("The right is not in the keychain.")
        case errSecAuthFailed:
            // The status does not say that the machine recognises no finger.
            let obstacle = steps.lazy.filter { $0 == .biometry }.compactMap { authenticator.obstacle(to: $0) }.first
            return obstacle?.error ?? LAError.Code.authenticationFailed.error
        default: return ofStatus(status)
        }
    }

    /// The error of any other keychain call.
    static func ofStatus(_ status: OSStatus) -> NSError {
        let sentence = SecCopyErrorMessageString(status, nil) as String? ?? "\(status)"
        return NSError(
            domain: NSOSStatusErrorDomain, code: Int(status), userInfo: [NSLocalizedDescriptionKey: sentence])
    }
}

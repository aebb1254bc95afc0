// SPDX-License-Identifier: Apache-2.0

/// The domain of the errors of this module.
public let LAErrorDomain: String = "com.apple.LocalAuthentication"

/// Why the user was not authenticated.
///
/// A context returns it as a Swift error or as an `NSError`, and each casts to the other: `error as? LAError`,
/// `(error as NSError).code`, `catch LAError.userCancel`. Names and numbers are those of
/// [LAError](https://developer.apple.com/documentation/localauthentication/laerror-swift.struct).
public struct LAError: _BridgedStoredNSError, Sendable {
    /// The codes of the reasons.
    public enum Code: Int, _ErrorCodeProtocol, Sendable {
        public typealias _ErrorType = LAError

        /// The user did not give the right proof.
        case authenticationFailed = -1
        /// The user dismissed the question.
        case userCancel = -2
        /// The user asked for the password instead.
        case userFallback = -3
        /// The system dismissed the question.
        case systemCancel = -4
        /// The device has no passcode.
        case passcodeNotSet = -5
        /// The device has no biometry.
        case biometryNotAvailable = -6
        /// The user has set up no biometry.
        case biometryNotEnrolled = -7
        /// Biometry failed too often.
        case biometryLockout = -8
        /// The application dismissed the question.
        case appCancel = -9
        /// The context was invalidated before.
        case invalidContext = -10
        /// There is no device nearby.
        case companionNotAvailable = -11
        /// The accessory for biometry is not paired.
        case biometryNotPaired = -12
        /// The accessory for biometry is not connected.
        case biometryDisconnected = -13
        /// The view to show has no size.
        case invalidDimensions = -14
        /// The user must be asked, but the application does not allow it, or nobody can be asked.
        case notInteractive = -1004

        /// The older name of `biometryNotAvailable`.
        public static var touchIDNotAvailable: Code { .biometryNotAvailable }
        /// The older name of `biometryNotEnrolled`.
        public static var touchIDNotEnrolled: Code { .biometryNotEnrolled }
        /// The older name of `biometryLockout`.
        public static var touchIDLockout: Code { .biometryLockout }
        /// The older name of `companionNotAvailable`.
        public static var watchNotAvailable: Code { .companionNotAvailable }
    }

    /// The error as Foundation has it.
    public let _nsError: NSError

    /// Wraps an error of the domain `LAErrorDomain`.
    public init(_nsError error: NSError) {
        _nsError = error
    }

    /// The domain of these errors.
    public static var _nsErrorDomain: String { LAErrorDomain }

    /// The code of the reason; `authenticationFailed` if the number is unknown.
    public var code: Code { Code(rawValue: _nsError.code) ?? .authenticationFailed }

    /// The error in words.
    public var localizedDescription: String { _nsError.localizedDescription }
}

// SPDX-License-Identifier: Apache-2.0

// The codes of `LAError` as numbers, under the names that C has for them.

/// The domain of the errors of this module; the same as `LAErrorDomain`.
public let kLAErrorDomain: String = LAErrorDomain

/// The number of `LAError.authenticationFailed`.
public let kLAErrorAuthenticationFailed: Int32 = -1
/// The number of `LAError.userCancel`.
public let kLAErrorUserCancel: Int32 = -2
/// The number of `LAError.userFallback`.
public let kLAErrorUserFallback: Int32 = -3
/// The number of `LAError.systemCancel`.
public let kLAErrorSystemCancel: Int32 = -4
/// The number of `LAError.passcodeNotSet`.
public let kLAErrorPasscodeNotSet: Int32 = -5
/// The number of `LAError.biometryNotAvailable`.
public let kLAErrorBiometryNotAvailable: Int32 = -6
/// The number of `LAError.biometryNotEnrolled`.
public let kLAErrorBiometryNotEnrolled: Int32 = -7
/// The number of `LAError.biometryLockout`.
public let kLAErrorBiometryLockout: Int32 = -8
/// The number of `LAError.appCancel`.
public let kLAErrorAppCancel: Int32 = -9
/// The number of `LAError.invalidContext`.
public let kLAErrorInvalidContext: Int32 = -10
/// The number of `LAError.companionNotAvailable`.
public let kLAErrorCompanionNotAvailable: Int32 = -11
/// The number of `LAError.biometryNotPaired`.
public let kLAErrorBiometryNotPaired: Int32 = -12
/// The number of `LAError.biometryDisconnected`.
public let kLAErrorBiometryDisconnected: Int32 = -13
/// The number of `LAError.invalidDimensions`.
public let kLAErrorInvalidDimensions: Int32 = -14
/// The number of `LAError.notInteractive`.
public let kLAErrorNotInteractive: Int32 = -1004
/// The number of `LAError.biometryNotAvailable`, under its older name.
public let kLAErrorTouchIDNotAvailable: Int32 = -6
/// The number of `LAError.biometryNotEnrolled`, under its older name.
public let kLAErrorTouchIDNotEnrolled: Int32 = -7
/// The number of `LAError.biometryLockout`, under its older name.
public let kLAErrorTouchIDLockout: Int32 = -8
/// The number of `LAError.companionNotAvailable`, under its older name.
public let kLAErrorWatchNotAvailable: Int32 = -11

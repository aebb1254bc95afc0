// SPDX-License-Identifier: Apache-2.0

import LocalAuthentication
import Testing

/// Errors cast as on Apple's platforms, whichever form they come in.
@Suite struct LAErrorTests {
    @Test func codes_haveApplesNumbers() {
        let numbers: [(LAError.Code, Int)] = [
            (.authenticationFailed, -1), (.userCancel, -2), (.userFallback, -3), (.systemCancel, -4),
            (.passcodeNotSet, -5), (.biometryNotAvailable, -6), (.biometryNotEnrolled, -7), (.biometryLockout, -8),
            (.appCancel, -9), (.invalidContext, -10), (.companionNotAvailable, -11), (.biometryNotPaired, -12),
            (.biometryDisconnected, -13), (.invalidDimensions, -14), (.notInteractive, -1004),
        ]
        for (code, number) in numbers {
            #expect(code.rawValue == number)
            #expect(LAError(code).errorCode == number)
            #expect((LAError(code) as NSError).code == number)
        }
        #expect(LAError.errorDomain == "com.apple.LocalAuthentication")
        #expect(LAErrorDomain == LAError.errorDomain)
        #expect(LAError.Code.touchIDNotEnrolled == .biometryNotEnrolled)
    }

    @Test func numbers_areThoseOfTheCodes() {
        let numbers: [(Int32, LAError.Code)] = [
            (kLAErrorAuthenticationFailed, .authenticationFailed), (kLAErrorUserCancel, .userCancel),
            (kLAErrorUserFallback, .userFallback), (kLAErrorSystemCancel, .systemCancel),
            (kLAErrorPasscodeNotSet, .passcodeNotSet), (kLAErrorBiometryNotAvailable, .biometryNotAvailable),
            (kLAErrorBiometryNotEnrolled, .biometryNotEnrolled), (kLAErrorBiometryLockout, .biometryLockout),
            (kLAErrorAppCancel, .appCancel), (kLAErrorInvalidContext, .invalidContext),
            (kLAErrorCompanionNotAvailable, .companionNotAvailable), (kLAErrorBiometryNotPaired, .biometryNotPaired),
            (kLAErrorBiometryDisconnected, .biometryDisconnected), (kLAErrorInvalidDimensions, .invalidDimensions),
            (kLAErrorNotInteractive, .notInteractive), (kLAErrorTouchIDNotAvailable, .touchIDNotAvailable),
            (kLAErrorTouchIDNotEnrolled, .touchIDNotEnrolled), (kLAErrorTouchIDLockout, .touchIDLockout),
            (kLAErrorWatchNotAvailable, .watchNotAvailable),
        ]
        for (number, code) in numbers { #expect(Int(number) == code.rawValue) }
        #expect(Set(numbers.map(\.1)).count == 15 && kLAErrorDomain == LAErrorDomain)
    }

    @Test func numbersOfEnumerations_areThoseOfTheCases() {
        let numbers: [(Int32, Int)] = [
            (
                kLAPolicyDeviceOwnerAuthenticationWithBiometrics,
                LAPolicy.deviceOwnerAuthenticationWithBiometrics.rawValue
            ),
            (kLAPolicyDeviceOwnerAuthentication, LAPolicy.deviceOwnerAuthentication.rawValue),
            (kLAPolicyDeviceOwnerAuthenticationWithCompanion, LAPolicy.deviceOwnerAuthenticationWithCompanion.rawValue),
            (
                kLAPolicyDeviceOwnerAuthenticationWithBiometricsOrCompanion,
                LAPolicy.deviceOwnerAuthenticationWithBiometricsOrCompanion.rawValue
            ),
            (
                kLAPolicyDeviceOwnerAuthenticationWithWristDetection,
                LAPolicy.deviceOwnerAuthenticationWithWristDetection.rawValue
            ),
            (kLAPolicyDeviceOwnerAuthenticationWithWatch, LAPolicy.deviceOwnerAuthenticationWithWatch.rawValue),
            (
                kLAPolicyDeviceOwnerAuthenticationWithBiometricsOrWatch,
                LAPolicy.deviceOwnerAuthenticationWithBiometricsOrWatch.rawValue
            ),
            (kLABiometryTypeNone, LABiometryType.none.rawValue),
            (kLABiometryTypeTouchID, LABiometryType.touchID.rawValue),
            (kLABiometryTypeFaceID, LABiometryType.faceID.rawValue),
            (kLABiometryTypeOpticID, LABiometryType.opticID.rawValue),
            (kLACompanionTypeWatch, LACompanionType.watch.rawValue),
            (kLACompanionTypeMac, LACompanionType.mac.rawValue),
            (kLACompanionTypeVision, LACompanionType.vision.rawValue),
            (kLAAccessControlOperationCreateItem, LAAccessControlOperation.createItem.rawValue),
            (kLAAccessControlOperationUseItem, LAAccessControlOperation.useItem.rawValue),
            (kLAAccessControlOperationCreateKey, LAAccessControlOperation.createKey.rawValue),
            (kLAAccessControlOperationUseKeySign, LAAccessControlOperation.useKeySign.rawValue),
            (kLAAccessControlOperationUseKeyDecrypt, LAAccessControlOperation.useKeyDecrypt.rawValue),
            (kLAAccessControlOperationUseKeyKeyExchange, LAAccessControlOperation.useKeyKeyExchange.rawValue),
            (kLACredentialTypeApplicationPassword, LACredentialType.applicationPassword.rawValue),
            (kLACredentialSmartCardPIN, LACredentialType.smartCardPIN.rawValue),
        ]
        for (number, value) in numbers { #expect(Int(number) == value) }
    }

    @Test func enumerations_haveApplesNumbers() {
        #expect(LAPolicy.deviceOwnerAuthenticationWithBiometrics.rawValue == 1)
        #expect(LAPolicy.deviceOwnerAuthentication.rawValue == 2)
        #expect(LAPolicy.deviceOwnerAuthenticationWithWatch.rawValue == 3)
        #expect(LAPolicy.deviceOwnerAuthenticationWithBiometricsOrWatch.rawValue == 4)
        #expect([LABiometryType.none, .touchID, .faceID, .opticID].map(\.rawValue) == [0, 1, 2, 4])
        #expect(LACredentialType.smartCardPIN.rawValue == -3)
        #expect(LAAccessControlOperation.useKeyKeyExchange.rawValue == 5)
        #expect(LATouchIDAuthenticationMaximumAllowableReuseDuration == 300)
    }

    private static let forms: [any Error] = [
        LAError(.userCancel), NSError(domain: LAErrorDomain, code: LAError.userCancel.rawValue),
    ]

    @Test(arguments: [0, 1])
    func error_inEitherForm_castsToEither(_ form: Int) throws {
        let error = Self.forms[form]
        #expect((error as? LAError)?.code == .userCancel)
        let object = try #require(error as Any as? NSError)
        #expect(object.domain == LAErrorDomain)
        #expect(object.code == -2)
        #expect((object as? LAError)?.code == .userCancel)
        #expect((error as NSError).code == -2)
    }

    @Test(arguments: [0, 1])
    func error_inEitherForm_isCaughtByItsReason(_ form: Int) {
        do {
            throw Self.forms[form]
        } catch LAError.userFallback {
            Issue.record("the wrong reason")
        } catch LAError.userCancel {
        } catch {
            Issue.record("not caught")
        }
        do {
            throw Self.forms[form]
        } catch let error as NSError {
            #expect(error.code == -2)
        }
    }

    @Test func error_ofAnotherDomain_isNone() {
        #expect(NSError(domain: NSOSStatusErrorDomain, code: -2) as? LAError == nil)
    }

    /// Rights give -1008 and -1019. None of them says that the person was not recognised.
    @Test(arguments: [7, -1008, -1019])
    func error_withoutAName_isNone(_ code: Int) {
        #expect(NSError(domain: LAErrorDomain, code: code) as? LAError == nil)
    }

    @Test func equalErrors_areEqual() {
        #expect(LAError(.userCancel) == LAError(.userCancel))
        #expect(LAError(.userCancel) != LAError(.appCancel))
    }
}
